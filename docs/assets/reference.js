// What the pages of the reference do beyond being read. They work without it.

// A type can be opened where it is mentioned, as deep as one likes.
function addTypes(root) {
  for (const link of root.querySelectorAll("a.type")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "open-type";
    button.textContent = "+";
    button.setAttribute("aria-expanded", "false");
    button.setAttribute("aria-label", `Fields of ${link.textContent}`);
    button.addEventListener("click", () => void toggleType(button, link));
    link.after(button);
  }
}

const pages = new Map();

// The table of a type: on this page, or on the page that the link leads to, which is loaded once.
async function tableOf(link) {
  const { pathname, hash } = new URL(link.href);
  if (!pages.has(pathname)) pages.set(pathname, pathname === location.pathname ? document : loadPage(pathname));
  const page = await pages.get(pathname);
  const section = page.getElementById(hash.slice(1));
  const same = section?.querySelector("a.same");
  return same ? tableOf(same) : section?.querySelector(".scroll");
}

async function loadPage(path) {
  const page = new DOMParser().parseFromString(await (await fetch(path)).text(), "text/html");
  // Links within that page must lead there from here as well.
  for (const link of page.querySelectorAll('a:is(.type, .same)[href^="#"]'))
    link.setAttribute("href", path + link.hash);
  return page;
}

async function toggleType(button, link) {
  const isOpen = button.getAttribute("aria-expanded") === "true";
  const row = button.closest("tr");
  const place = row ?? button.closest("li, p, dd");
  if (isOpen) place.parentElement.querySelector(`[data-opened-by="${button.dataset.opens}"]`)?.remove();
  else {
    const table = await tableOf(link);
    if (!table) return;
    button.dataset.opens ??= String(Math.random()).slice(2);
    place.after(nestedTable(table, row, button.dataset.opens));
  }
  button.setAttribute("aria-expanded", String(!isOpen));
  button.textContent = isOpen ? "+" : "−";
}

let openedCount = 0;

function nestedTable(table, row, id) {
  const inner = document.importNode(table, true);
  // A region needs a name of its own, and the table that this one was copied from has the same.
  openedCount += 1;
  inner.setAttribute("aria-label", `${inner.getAttribute("aria-label")}, opened ${openedCount}`);
  for (const copied of inner.querySelectorAll(".open-type, [data-opened-by]")) copied.remove();
  addTypes(inner);
  const holder = document.createElement(row ? "tr" : "li");
  holder.dataset.openedBy = id;
  const cell = row ? document.createElement("td") : holder;
  if (row) {
    cell.colSpan = row.children.length;
    holder.append(cell);
  }
  cell.classList.add("nested");
  cell.append(inner);
  return holder;
}

const LANGUAGE = "tenderhall language";

// The language that is chosen for one sample is chosen for all, here and on the next page.
function addLanguageChoice() {
  const choose = (language) => {
    for (const input of document.querySelectorAll(`.samples input[value="${language}"]`)) input.checked = true;
  };
  const known = localStorage.getItem(LANGUAGE);
  if (known) choose(known);
  document.addEventListener("change", ({ target }) => {
    if (!target.matches?.(".samples input")) return;
    const top = target.getBoundingClientRect().top;
    localStorage.setItem(LANGUAGE, target.value);
    choose(target.value);
    // Samples above have changed their height: what was clicked stays where it was.
    scrollBy({ top: target.getBoundingClientRect().top - top, behavior: "instant" });
  });
}

function addCopyButtons() {
  if (!navigator.clipboard) return;
  for (const samples of document.querySelectorAll(".samples")) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      const { value } = samples.querySelector("input:checked");
      await navigator.clipboard.writeText(samples.querySelector(`[data-language="${value}"]`).textContent);
      button.textContent = "Copied";
      setTimeout(() => {
        button.textContent = "Copy";
      }, 1500);
    });
    samples.querySelector("fieldset").append(button);
  }
}

// Old links lead to an entry of the overview that names the page which has it now.
function followEntry() {
  const entry = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const link = entry?.matches("li, .group > h2") ? entry.querySelector("a") : null;
  if (link) location.replace(link.href);
}

// Marks in the navigation which operation is being read.
function addReadingMark() {
  const contents = document.querySelector("#contents");
  const links = new Map([...contents.querySelectorAll(".operations a")].map((link) => [link.hash.slice(1), link]));
  const current = contents.querySelector(".resources [aria-current]");
  if (current) showIn(contents, current);
  const inView = new Set();
  const mark = () => {
    const reading = [...links.keys()].find((id) => inView.has(id));
    for (const [id, link] of links) {
      if (id === reading) link.setAttribute("aria-current", "location");
      else link.removeAttribute("aria-current");
    }
    if (reading) showIn(contents, links.get(reading));
  };
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) inView[isIntersecting ? "add" : "delete"](target.id);
      mark();
    },
    { rootMargin: "-10% 0px -60% 0px" },
  );
  for (const section of document.querySelectorAll("section.operation")) observer.observe(section);
}

// Scrolls the navigation alone, and only where it has a scroll bar of its own.
function showIn(contents, link) {
  if (contents.scrollHeight <= contents.clientHeight) return;
  const [outer, inner] = [contents.getBoundingClientRect(), link.getBoundingClientRect()];
  if (inner.top < outer.top || inner.bottom > outer.bottom)
    contents.scrollTop += inner.top - outer.top - contents.clientHeight / 3;
}

function closeJumpBar() {
  for (const bar of document.querySelectorAll(".jump"))
    bar.addEventListener("click", ({ target }) => {
      if (target.closest("a")) bar.open = false;
    });
}

followEntry();
addEventListener("hashchange", followEntry);
for (const part of document.querySelectorAll(".explained, .schema")) addTypes(part);
addLanguageChoice();
addCopyButtons();
addReadingMark();
closeJumpBar();
