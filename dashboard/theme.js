// Applies the reader's stored theme before the first paint; the app itself starts too late for that.
(() => {
  try {
    const theme = localStorage.getItem("pentimento.theme");
    if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
  } catch {
    // Without storage the system's preference holds.
  }
})();
