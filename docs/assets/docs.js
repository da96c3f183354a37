// What the pages do beyond being read: copying samples, finding, opening what a link points to. They work without it.

function addCopyButtons() {
  if (!navigator.clipboard) return;
  for (const figure of document.querySelectorAll("figure.code:not(.output)")) {
    const caption = figure.querySelector("figcaption");
    if (!caption) continue;
    const button = document.createElement("button");
    button.type = "button";
    // Files are pasted into the same terminal as everything else.
    const label = figure.dataset.file ? "Copy as a command" : "Copy";
    button.textContent = label;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(pasted(figure));
      button.textContent = "Copied";
      setTimeout(() => {
        button.textContent = label;
      }, 1500);
    });
    caption.append(button);
  }
}

// What somebody pastes into a terminal: a file comes with what writes it.
function pasted(figure) {
  const { textContent: text } = figure.querySelector("code");
  const { file } = figure.dataset;
  return file ? `cat > ${file} <<'EOF'\n${text.trimEnd()}\nEOF\n` : text;
}

function addSearch() {
  const search = document.querySelector("[data-search]");
  if (!search) return;
  const found = document.querySelector("#found");
  const all = [...document.querySelectorAll(search.dataset.search)].map((element) => ({
    element,
    text: (element.querySelector("summary") ?? element).textContent.toLowerCase(),
  }));
  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const { element, text } of all) element.hidden = !words.every((word) => text.includes(word));
    for (const group of document.querySelectorAll(".group"))
      group.hidden = !group.querySelector(`${search.dataset.search}:not([hidden])`);
    const count = all.filter(({ element }) => !element.hidden).length;
    found.textContent = words.length > 0 ? `${count} of ${all.length} match` : `${all.length} in all`;
  };
  search.addEventListener("input", filter);
  if (search.value) filter();
}

// A type can be opened where it is mentioned, as deep as one likes.
function addTypes(root) {
  for (const link of root.querySelectorAll("a.type")) {
    const schema = document.querySelector(link.getAttribute("href"))?.querySelector(".scroll");
    if (!schema) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "open-type";
    button.textContent = "+";
    button.setAttribute("aria-expanded", "false");
    button.setAttribute("aria-label", `Fields of ${link.textContent}`);
    button.addEventListener("click", () => toggleType(button, schema));
    link.after(button);
  }
}

function toggleType(button, schema) {
  const opened = button.getAttribute("aria-expanded") === "true";
  button.setAttribute("aria-expanded", String(!opened));
  button.textContent = opened ? "+" : "−";
  const row = button.closest("tr");
  const at = row ?? button.closest("li, p");
  if (opened) {
    const known = at.parentElement.querySelector(`[data-opened-by="${button.dataset.opens}"]`);
    known?.remove();
    return;
  }
  button.dataset.opens ??= String(Math.random()).slice(2);
  const inner = schema.cloneNode(true);
  for (const copied of inner.querySelectorAll(".open-type, [data-opened-by]")) copied.remove();
  addTypes(inner);
  const holder = document.createElement(row ? "tr" : "div");
  holder.dataset.openedBy = button.dataset.opens;
  if (row) {
    const cell = document.createElement("td");
    cell.colSpan = row.children.length;
    cell.className = "nested";
    cell.append(inner);
    holder.append(cell);
  } else {
    holder.className = "nested";
    holder.append(inner);
  }
  at.after(holder);
}

function openTarget() {
  const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const details = target ? target.closest("details") : null;
  if (!details) return;
  details.open = true;
  target.scrollIntoView();
}

addCopyButtons();
addSearch();
for (const part of document.querySelectorAll(".inside, .schema")) addTypes(part);
openTarget();
addEventListener("hashchange", openTarget);
