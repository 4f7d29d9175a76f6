// Contains the script of the page, which sorts and filters the rows of tables. The page is complete without the script.

/** The JavaScript. The page's Content-Security-Policy contains its SHA-256. */
export const script = `"use strict";
for (const table of document.querySelectorAll("table[data-sort]")) {
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const textOf = (row, at) => row.cells[at].textContent;
  const numberOf = (row, at) => Number(row.cells[at].dataset.value ?? textOf(row, at).replaceAll(",", "")) || 0;
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, at) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const isNumber = head.classList.contains("n");
      const isDown = head.getAttribute("aria-sort") === null ? isNumber : head.getAttribute("aria-sort") === "ascending";
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", isDown ? "descending" : "ascending");
      const sorted = [...rows].sort((one, other) => {
        const [a, b] = isNumber ? [numberOf(one, at), numberOf(other, at)] : [textOf(one, at), textOf(other, at)];
        const order = a < b ? -1 : a > b ? 1 : 0;
        return isDown ? -order : order;
      });
      body.append(...sorted);
    });
  });
  if (rows.length < 8) continue;
  const input = document.createElement("input");
  input.type = "search";
  input.className = "filter";
  input.placeholder = "Filter the rows";
  input.setAttribute("aria-label", "Filter the rows of " + (table.caption?.textContent.trim() ?? "the table"));
  const none = document.createElement("p");
  none.className = "muted";
  none.setAttribute("role", "status");
  input.addEventListener("input", () => {
    const wanted = input.value.toLowerCase();
    for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
    none.textContent = rows.every((row) => row.hidden) ? "No row has this text." : "";
  });
  table.closest(".card").before(input, none);
}
`;
