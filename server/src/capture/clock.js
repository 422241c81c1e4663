// Before any script of the page: it is always the given time, in milliseconds since 1970. Timers run on.
(now) => {
  const RealDate = Date;
  const still = function Date(...parts) {
    if (!new.target) return new RealDate(now).toString();
    return Reflect.construct(RealDate, parts.length ? parts : [now], new.target);
  };
  still.prototype = RealDate.prototype;
  RealDate.prototype.constructor = still;
  Object.setPrototypeOf(still, RealDate);
  still.now = () => now;
  Object.defineProperty(globalThis, "Date", { value: still, writable: true, configurable: true, enumerable: false });
  if (globalThis.Temporal) {
    const { Instant, Now } = Temporal;
    const there = (zone = Now.timeZoneId()) => Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone);
    const answers = {
      instant: () => Instant.fromEpochMilliseconds(now),
      zonedDateTimeISO: (zone) => there(zone),
      plainDateTimeISO: (zone) => there(zone).toPlainDateTime(),
      plainDateISO: (zone) => there(zone).toPlainDate(),
      plainTimeISO: (zone) => there(zone).toPlainTime(),
    };
    for (const [name, value] of Object.entries(answers)) {
      Object.defineProperty(Now, name, { value, writable: true, configurable: true, enumerable: false });
    }
  }
  // Formatting without a date formats the present.
  for (const name of ["format", "formatToParts"]) {
    const real = Object.getOwnPropertyDescriptor(Intl.DateTimeFormat.prototype, name);
    if (real.value) {
      Intl.DateTimeFormat.prototype[name] = function (date = now) { return real.value.call(this, date); };
    } else {
      const get = function () { const format = real.get.call(this); return (date = now) => format(date); };
      Object.defineProperty(Intl.DateTimeFormat.prototype, name, { ...real, get });
    }
  }
}
