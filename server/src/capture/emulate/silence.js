// Before any script of the page: what it writes to the console goes nowhere, and of errors that are longer than any that is read
// the browser tells nobody but the page.
(() => {
  for (const name of Object.getOwnPropertyNames(console)) {
    // A task tells nobody anything, and runs what it is given.
    if (typeof console[name] !== "function" || name === "createTask") continue;
    console[name] = name === "context" ? () => console : () => {};
  }
  const MOST = 100000;
  const isLong = (text) => typeof text === "string" && text.length > MOST;
  const isTooMuch = (thrown) => {
    try {
      return isLong(thrown) || isLong(thrown?.message) || isLong(thrown?.stack);
    } catch {
      return false;
    }
  };
  addEventListener("error", (event) => {
    if (isLong(event.message) || isTooMuch(event.error)) event.preventDefault();
  });
  addEventListener("unhandledrejection", (event) => {
    if (isTooMuch(event.reason)) event.preventDefault();
  });
})();
