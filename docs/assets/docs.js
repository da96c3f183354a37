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

const FOUND_MAX = 12;

// A search over all pages, below the header. What it looks in is asked for when somebody first wants to search.
function addSiteSearch() {
  const bar = document.querySelector("[data-searched]");
  const { searched, base } = bar.dataset;
  const input = Object.assign(document.createElement("input"), {
    type: "search",
    id: "search-all",
    placeholder: "Search all pages",
    autocomplete: "off",
  });
  input.setAttribute("aria-label", "Search all pages");
  const list = Object.assign(document.createElement("ul"), { className: "found", hidden: true });
  const status = Object.assign(document.createElement("p"), { className: "visually-hidden" });
  status.setAttribute("role", "status");
  const box = Object.assign(document.createElement("div"), { className: "search-all" });
  box.setAttribute("role", "search");
  box.append(input, list, status);
  bar.append(box);
  let parts;
  const look = async () => {
    parts ??= fetch(searched).then((answer) => answer.json());
    const found = matching(await parts, input.value);
    list.replaceChildren(...found.slice(0, FOUND_MAX).map((part) => foundItem(part, base)));
    list.hidden = found.length === 0;
    status.textContent = input.value.trim() === "" ? "" : `${found.length} found`;
    box.classList.toggle("nothing", input.value.trim() !== "" && found.length === 0);
  };
  input.addEventListener("input", look);
  input.addEventListener("focus", look);
  box.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target === input) list.querySelector("a")?.click();
    if (event.key !== "Escape") return;
    list.hidden = true;
    input.focus();
  });
  const leave = (target) => {
    if (!box.contains(target)) list.hidden = true;
  };
  document.addEventListener("click", ({ target }) => leave(target));
  box.addEventListener("focusout", ({ relatedTarget }) => relatedTarget && leave(relatedTarget));
}

// Every word must occur. Decision records come last; before that, matches in headings count more than in the text, and equally good
// ones keep the order of the contents: guides, reference, operating.
function matching(parts, typed) {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const scoreOf = ({ heading, page, text }) => {
    const [title, name, body] = [heading, page, text].map((one) => one.toLowerCase());
    const scores = words.map((word) =>
      title.includes(word) ? 4 : name.includes(word) ? 2 : body.includes(word) ? 1 : 0,
    );
    return scores.includes(0) ? 0 : scores.reduce((sum, one) => sum + one, 0);
  };
  return parts
    .map((part) => ({ ...part, score: scoreOf(part) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => !!a.isBackground - !!b.isBackground || b.score - a.score || a.rank - b.rank);
}

function foundItem({ path, page, heading }, base) {
  const link = Object.assign(document.createElement("a"), { href: base + path, textContent: heading });
  const where = Object.assign(document.createElement("span"), { className: "quiet", textContent: page });
  const item = document.createElement("li");
  link.append(where);
  item.append(link);
  return item;
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
addSiteSearch();
openTarget();
addEventListener("hashchange", openTarget);
