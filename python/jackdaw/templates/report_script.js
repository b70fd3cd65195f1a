"use strict";
(() => {
  const root = document.documentElement;
  const theme = document.getElementById("theme");
  const dark = () => root.dataset.theme ? root.dataset.theme === "dark"
                                        : window.matchMedia("(prefers-color-scheme: dark)").matches;
  const show = () => {
    theme.textContent = dark() ? "Light" : "Dark";
    theme.setAttribute("aria-label", dark() ? "Use the light theme" : "Use the dark theme");
  };
  theme.addEventListener("click", () => { root.dataset.theme = dark() ? "light" : "dark"; show(); });
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
  show();

  const tables = document.getElementById("tables");
  tables.addEventListener("click", () => {
    const open = tables.textContent === "Open all tables";
    document.querySelectorAll("details").forEach(each => { each.open = open; });
    tables.textContent = open ? "Close all tables" : "Open all tables";
  });
})();
