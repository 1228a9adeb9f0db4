// The page is complete without this script. It adds sorting, filters, and the details of the link in focus. It reads text
// from the page, and writes only text into it.
"use strict";

for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  const body = table.tBodies[0];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending" ||
        head.getAttribute("aria-sort") === null && head.classList.contains("number") && column > 0;
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const keys = new Map([...body.rows].map((row) => [row, keyOf(row.cells[column])]));
      const rows = [...body.rows].sort((a, b) => compare(keys.get(a), keys.get(b)));
      body.append(...(down ? rows.reverse() : rows));
    });
  });
}

function keyOf(cell) {
  return cell.dataset.n === undefined ? cell.textContent : Number(cell.dataset.n);
}

function compare(a, b) {
  return typeof a === "number" ? a - b : a < b ? -1 : a > b ? 1 : 0;
}

const tools = document.getElementById("tools");
if (tools) {
  const filter = document.getElementById("filter");
  const wrong = document.getElementById("wrong");
  const rows = [...document.getElementById("table").tBodies[0].rows];
  const apply = () => {
    const text = filter.value.toLowerCase();
    let n = 0;
    for (const row of rows) {
      row.hidden = !row.cells[1].textContent.toLowerCase().includes(text) ||
        wrong.checked && row.lastElementChild.dataset.n === "0";
      n += row.hidden ? 0 : 1;
    }
    document.getElementById("count").textContent = `${n} of ${rows.length} rows`;
  };
  tools.addEventListener("input", apply);
  tools.addEventListener("submit", (event) => event.preventDefault());
  tools.hidden = false;
  apply();
}

const detail = document.getElementById("detail");
if (detail) {
  const names = [[2, "reference"], [3, "base URL"], [4, "layer"], [5, "result"]];
  const show = (event) => {
    const mark = event.target.closest("a.mark");
    const row = mark && document.getElementById("l" + mark.id.slice(1));
    if (!row) return;
    const list = document.createElement("dl");
    for (const [column, name] of names) {
      const term = document.createElement("dt");
      const value = document.createElement("dd");
      term.textContent = name;
      value.append(...[...row.cells[column].childNodes].map((node) => node.cloneNode(true)));
      list.append(term, value);
    }
    detail.replaceChildren(list);
    detail.hidden = false;
  };
  document.addEventListener("focusin", show);
  document.addEventListener("mouseover", show);
}
