// SPDX-License-Identifier: Apache-2.0
// Marks what belongs together: a source line and its PTX instructions.  The page can be read without.
(() => {
  "use strict";
  document.documentElement.classList.add("js");

  function connect(kernel) {
    const source = kernel.querySelector(".source"), ptx = kernel.querySelector(".ptx"), said = kernel.querySelector(".said");
    if (!source || !ptx)
      return;
    const rows = new Map(), groups = new Map();
    for (const row of source.querySelectorAll("tr[data-l]:not(.note)"))
      rows.set(row.dataset.l, row);
    for (const group of ptx.querySelectorAll("tbody[data-l]")) {
      if (!groups.has(group.dataset.l))
        groups.set(group.dataset.l, []);
      groups.get(group.dataset.l).push(group);
    }
    let chosen = null, turn = 0, near = null;
    const here = new Map(); // where each pane was used last

    const line_of = (node) => {
      const holder = node.closest("[data-l]");
      return holder ? holder.dataset.l : null;
    };
    const mark = (line, name, on) => {
      if (line === null)
        return;
      for (const part of [rows.get(line), ...(groups.get(line) || [])])
        if (part)
          part.classList.toggle(name, on);
    };
    const show = (pane, part) => {
      const box = pane.getBoundingClientRect(), at = part.getBoundingClientRect();
      if (at.top < box.top + 40 || at.top > box.bottom - 60)
        pane.scrollTop += at.top - box.top - pane.clientHeight / 3;
    };
    const tell = (line) => {
      const row = rows.get(line), parts = groups.get(line) || [];
      let count = 0;
      for (const group of parts)
        count += group.rows.length - group.querySelectorAll(".label").length;
      const number = row ? row.cells[0].textContent.trim() : "";
      const issued = row && row.cells[1] ? row.cells[1].textContent.trim() : "";
      const unit = said.dataset.unit;
      let text = (number ? "Line " + number : "No source line") + ": " + count + (count === 1 ? " PTX instruction" : " PTX instructions");
      if (parts.length > 1)
        text += " in " + parts.length + " places (choose again for the next)";
      if (issued && unit)
        text += "; " + issued + " " + unit;
      said.textContent = text + ".";
    };
    // `from`: the pane that was used; the other one comes along.
    const choose = (line, from) => {
      const again = line === chosen;
      mark(chosen, "chosen", false);
      chosen = line;
      mark(line, "chosen", true);
      if (line === null) {
        said.textContent = said.dataset.hint;
        return;
      }
      const parts = groups.get(line) || [];
      turn = again && parts.length ? (turn + 1) % parts.length : 0;
      for (const [pane, part] of [[ptx, parts[turn]], [source, rows.get(line)]])
        if (from !== pane && part) {
          here.set(pane, part);
          show(pane, part);
        }
      tell(line);
    };
    const step = (pane, by) => {
      const list = pane === source ? [...rows.values()] : [...ptx.querySelectorAll("tbody[data-l]")];
      const next = list[here.has(pane) ? Math.min(list.length - 1, Math.max(0, list.indexOf(here.get(pane)) + by)) : 0];
      if (!next)
        return;
      here.set(pane, next);
      choose(next.dataset.l, pane);
      show(pane, next);
    };

    for (const pane of [source, ptx]) {
      pane.addEventListener("click", (event) => {
        const link = event.target.closest("a");
        if (event.ctrlKey || event.metaKey || event.shiftKey || String(getSelection()))
          return;
        if (link && !link.closest("th"))
          return;
        const line = line_of(event.target);
        if (line === null)
          return;
        event.preventDefault();
        here.set(pane, pane === source ? rows.get(line) : event.target.closest("[data-l]"));
        choose(line, pane);
      });
      pane.addEventListener("mouseover", (event) => {
        const line = line_of(event.target);
        if (line === near)
          return;
        mark(near, "near", false);
        near = line;
        mark(near, "near", true);
      });
      pane.addEventListener("mouseleave", () => {
        mark(near, "near", false);
        near = null;
      });
      pane.addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey)
          return;
        if (event.key === "ArrowDown" || event.key === "ArrowUp") {
          event.preventDefault();
          step(pane, event.key === "ArrowDown" ? 1 : -1);
        } else if (event.key === "Escape") {
          choose(null, pane);
        }
      });
    }
    said.textContent = said.dataset.hint;
    const follow = () => {
      const target = location.hash.length > 1 ? document.getElementById(location.hash.slice(1)) : null;
      if (target && kernel.contains(target)) {
        const line = line_of(target);
        if (line !== null && target.closest(".pane"))
          choose(line, target.closest(".pane"));
      }
    };
    addEventListener("hashchange", follow);
    follow();
  }

  for (const kernel of document.querySelectorAll(".kernel"))
    connect(kernel);
})();
