/** The script of the documents: their search, the theme of the playground, and the contents on a narrow screen. */
import '../bar.css';
import './documents.css';
import './search.css';
import MiniSearch, { type SearchResult } from 'minisearch';
import { applyPreferences } from '../../page/frame/preferences.ts';
import { SEARCH_FIELDS, type SearchSection, STORED_FIELDS } from './search.ts';

/** Results that are shown: the rest is found with another word. */
const MOST_RESULTS = 12;

const root = document.documentElement.dataset['root'] ?? './';

let index: Promise<MiniSearch<SearchSection>> | null = null;

/** The index is fetched when somebody begins to search. */
function loadIndex(): Promise<MiniSearch<SearchSection>> {
  index ??= fetch(`${root}docs/search.json`)
    .then((response) => response.text())
    .then((json) =>
      MiniSearch.loadJSON<SearchSection>(json, {
        fields: [...SEARCH_FIELDS],
        storeFields: [...STORED_FIELDS],
      }),
    );
  return index;
}

function showResults(list: HTMLElement, results: readonly SearchResult[], query: string): void {
  const items = results.slice(0, MOST_RESULTS).map((result) => {
    const link = document.createElement('a');
    link.href = `${root}${String(result.id)}`;
    const heading = document.createElement('b');
    heading.textContent = String(result['heading']);
    const page = document.createElement('span');
    page.textContent = result['page'] === result['heading'] ? '' : String(result['page']);
    link.append(heading, page);
    const item = document.createElement('li');
    item.append(link);
    return item;
  });
  if (items.length === 0) {
    const item = document.createElement('li');
    item.textContent = `Nothing about “${query}”.`;
    items.push(item);
  }
  list.replaceChildren(...items);
  list.hidden = false;
}

function startSearch(field: HTMLInputElement, list: HTMLElement): void {
  field.addEventListener('focus', () => void loadIndex());
  field.addEventListener('input', async () => {
    const query = field.value.trim();
    if (query === '') {
      list.hidden = true;
      return;
    }
    const found = (await loadIndex()).search(query, {
      prefix: true,
      fuzzy: 0.15,
      combineWith: 'AND',
      boost: { heading: 3, page: 2 },
    });
    if (field.value.trim() === query) showResults(list, found, query);
  });
  field.addEventListener('keydown', ({ key }) => {
    if (key === 'Enter') list.querySelector('a')?.click();
    if (key === 'ArrowDown') list.querySelector('a')?.focus();
  });
  list.addEventListener('keydown', (event) => {
    const links = [...list.querySelectorAll('a')];
    const { activeElement } = document;
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (by === 0 || !(activeElement instanceof HTMLAnchorElement)) return;
    event.preventDefault();
    (links[links.indexOf(activeElement) + by] ?? field).focus();
  });
  addEventListener('keydown', (event) => {
    if (event.key === 'Escape') list.hidden = true;
    if (event.key !== '/' || document.activeElement === field) return;
    event.preventDefault();
    field.focus();
  });
}

/** Beside the text where there is room for it, else closed. */
function closeContents(): void {
  const contents = document.querySelector<HTMLDetailsElement>('.contents');
  if (contents !== null && matchMedia('(max-width: 900px)').matches) contents.open = false;
}

applyPreferences();
closeContents();
const field = document.getElementById('search');
const list = document.getElementById('results');
if (field instanceof HTMLInputElement && list !== null) startSearch(field, list);
