"""The page's behaviour, in plain JavaScript: filters, deep links, theme, printing."""

SCRIPT = """
(function () {
  "use strict";
  var rows = Array.prototype.slice.call(document.querySelectorAll("tr.claim"));
  var totals = Array.prototype.slice.call(document.querySelectorAll(".total"));
  var form = document.querySelector(".filters");
  var search = document.getElementById("search");
  var field = document.getElementById("field");
  var kind = document.getElementById("kind");
  var surprising = document.getElementById("surprising");
  var unreached = document.getElementById("open");

  function words(row, name) { return (row.dataset[name] || "").split(" "); }

  function filter() {
    var wanted = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
    var verdicts = totals.filter(function (b) { return b.getAttribute("aria-pressed") === "true"; })
      .map(function (b) { return b.dataset.verdict; });
    var shown = 0;
    rows.forEach(function (row) {
      var fits = (!verdicts.length || verdicts.indexOf(row.dataset.verdict) >= 0) &&
        (!field.value || words(row, "fields").indexOf(field.value) >= 0) &&
        (!kind.value || words(row, "kinds").indexOf(kind.value) >= 0) &&
        (!surprising.checked || row.dataset.surprising === "1") &&
        (!unreached.checked || row.dataset.open === "1") &&
        wanted.every(function (word) { return row.dataset.words.indexOf(word) >= 0; });
      row.hidden = !fits;
      var section = document.getElementById(row.dataset.target);
      if (section) { section.hidden = !fits; }
      if (fits) { shown += 1; }
    });
    Array.prototype.forEach.call(document.querySelectorAll("table.claims tbody"), function (body) {
      body.hidden = !body.querySelector("tr.claim:not([hidden])");
    });
    document.getElementById("nothing").hidden = shown > 0 || rows.length === 0;
    document.getElementById("shown").textContent = shown === rows.length ? "" : shown + " of " + rows.length + " shown";
  }

  function follow() {
    var name = decodeURIComponent(location.hash.slice(1));
    var target = name && document.getElementById(name);
    if (!target) { return; }
    if (target.hidden) { form.reset(); clear(); }
    if (target.tagName === "DETAILS") { target.open = true; }
    target.scrollIntoView();
  }

  function clear() {
    totals.forEach(function (b) { b.setAttribute("aria-pressed", "false"); });
    setTimeout(filter, 0);
  }

  function setAll(open) {
    Array.prototype.forEach.call(document.querySelectorAll("details.claim"), function (d) { d.open = open; });
  }

  totals.forEach(function (button) {
    button.addEventListener("click", function () {
      button.setAttribute("aria-pressed", button.getAttribute("aria-pressed") === "true" ? "false" : "true");
      filter();
    });
  });
  form.addEventListener("input", filter);
  form.addEventListener("reset", clear);
  form.addEventListener("submit", function (event) { event.preventDefault(); });
  document.getElementById("unfold").addEventListener("click", function () { setAll(true); });
  document.getElementById("fold").addEventListener("click", function () { setAll(false); });
  document.getElementById("theme").addEventListener("click", function () {
    var root = document.documentElement;
    var dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  });
  document.addEventListener("keydown", function (event) {
    if (event.key === "/" && !/^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) {
      event.preventDefault();
      search.focus();
    }
  });
  addEventListener("hashchange", follow);
  addEventListener("beforeprint", function () {
    Array.prototype.forEach.call(document.querySelectorAll("details"), function (d) { d.open = true; });
  });
  filter();
  follow();
})();
"""
