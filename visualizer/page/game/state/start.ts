import {
  formatLens,
  type Lens,
  parseLens,
  type SeenLine,
} from '../../../../machines/journal/lens.ts';
import type { Line } from '../../../../machines/journal/lines.ts';
import { dropSteps, type Stepped } from '../../../charts/moves.ts';
import { readEmbeddedSource, unpackRows, unpackText } from '../../frame/embedded.ts';
import { NOT_LOADED } from '../../frame/onDemand.tsx';
import { goToAddress, type PageAddress, parseAddress } from './address.ts';
import {
  describeTooLong,
  LONGEST_JOURNAL_BYTES,
  parseLine,
  type ReadJournal,
  readJournalText,
} from './journal.ts';
import { listenToServer } from './live.ts';
import { findFreeSeats, holdSeat, takeSeatToken } from './seat.ts';
import {
  addWhole,
  damaged,
  isLoading,
  isReading,
  isRecorded,
  journalName,
  LINES_AT_ONCE,
  lensRequest,
  live,
  nextTask,
  openings,
  openLive,
  openSeen,
  openWhole,
  parseAvailableLens,
  problem,
  UNREADABLE,
  whyNotes,
  widest,
} from './session.ts';

const GLASS: Lens = { type: 'glass' };

export async function openDocument(): Promise<void> {
  const source = readEmbeddedSource();
  if (source.type === 'none')
    return showProblem('Choose a journal: a file whose name ends in .jsonl.');
  const given = parseLens(source.lens) ?? GLASS;
  journalName.value = source.name;
  damaged.value = source.damaged;
  if (source.type === 'live') {
    isRecorded.value = source.isOver === true;
    if (source.hasWhy === true) void fetchWhyNotes();
    return enterLive(given, source.opens === true);
  }
  try {
    await openRows(unpackRows('journal'), given);
    const opening = openings.value;
    const notes = await unpackText('why');
    if (notes !== '' && opening === openings.value) whyNotes.value = JSON.parse(notes);
  } catch {
    showProblem(UNPACKABLE);
  }
}

const FIRST_ROWS = 1500;

type RowBatches = AsyncGenerator<readonly string[], void, undefined>;

/** A long journal opens early with its beginning, unless the address names a moment. */
async function openRows(batches: RowBatches, given: Lens): Promise<void> {
  const isWhole = given.type !== 'glass' || location.hash !== '' || location.search !== '';
  const rows: string[] = [];
  // By hand: a loop would end the batches where it ends.
  for (;;) {
    const { done, value } = await batches.next();
    if (done === true) break;
    rows.push(...value);
    if (isWhole || rows.length < FIRST_ROWS) continue;
    openText(rows.join('\n'), given);
    if (problem.value === '') void openRest(batches);
    return;
  }
  openText(rows.join('\n'), given);
}

async function openRest(batches: RowBatches): Promise<void> {
  const opening = openings.value;
  const isOpen = () => opening === openings.value;
  let sentence = UNPACKABLE;
  isReading.value = true;
  try {
    const rest: Line[] = [];
    let [lost, answered] = [0, 0];
    for await (const rows of batches) {
      for (const row of rows) {
        const line = parseLine<Line>(row);
        if (line !== null) rest.push(line);
        else if (row.trim() !== '') lost += 1;
      }
      if (rest.length < answered) continue;
      answered += LINES_AT_ONCE;
      await nextTask();
    }
    sentence = UNREADABLE;
    if (isOpen() && (await addWhole(rest))) damaged.value += lost;
  } catch {
    if (isOpen()) showProblem(sentence);
  }
  if (isOpen()) isReading.value = false;
}

const UNPACKABLE = 'The journal in this page is damaged and can’t be unpacked.';

/** The page is whole without them. */
async function fetchWhyNotes(): Promise<void> {
  const found = fetch('why').then((response) => response.json());
  whyNotes.value = await found.catch(() => null);
}

export async function openFile(file: File): Promise<void> {
  openings.value += 1;
  const opening = openings.value;
  isReading.value = false;
  journalName.value = file.name;
  whyNotes.value = null;
  if (file.size > LONGEST_JOURNAL_BYTES) return showProblem(describeTooLong(file.size));
  try {
    const [text, { judgeClaims }] = await Promise.all([file.text(), import('../../../claims.ts')]);
    if (opening !== openings.value) return;
    damaged.value = 0;
    const judge = judgeClaims();
    openText(text, GLASS, (line) => ({ ...dropSteps(line), ...judge(line) }));
  } catch {
    if (opening === openings.value) showProblem(NOT_LOADED);
  }
}

function showProblem(sentence: string): void {
  isLoading.value = false;
  problem.value = sentence;
}

/** A page trusts what its own lines say of the machines, and `take` drops it from a file. */
function openText(text: string, given: Lens, take = (line: Line): Line & Stepped => line): void {
  const address = parseAddress(location.hash);
  widest.value = given;
  try {
    if (given.type === 'glass') {
      const read = readJournalText(text);
      if (read.ok) openWhole(read.lines.map(take), parseLens(address.lens ?? '') ?? given);
      finishOpening(read, address);
    } else {
      const read = readJournalText<SeenLine>(text);
      if (read.ok) openSeen(read.lines, given);
      finishOpening(read, address);
    }
  } catch {
    showProblem(UNREADABLE);
  }
}

function finishOpening(read: ReadJournal<SeenLine | Line>, address: PageAddress): void {
  if (!read.ok) {
    showProblem(read.sentence);
    return;
  }
  damaged.value += read.damaged;
  problem.value = '';
  goToAddress(address);
}

function enterLive(given: Lens, opens: boolean): void {
  // The page writes its own address as soon as it is there, and the server may take longer than that.
  const address = parseAddress(location.hash);
  const openAs = (lens: Lens) => connect(lens, address, opens);
  if (import.meta.env.MODE === 'play') enterAsPlayer(given, openAs);
  else openAs(given);
}

function enterAsPlayer(given: Lens, openAs: (lens: Lens) => void): void {
  const found = takeSeatToken(location.hash);
  if (found === null) {
    openAs(given);
    void findFreeSeats();
    return;
  }
  holdSeat((seat) => {
    if (seat !== null) openAs({ type: 'player', seat });
    else if (found === 'tab') openAs(given);
    else
      showProblem(
        'This link belongs to no seat of the game that runs here. To watch, remove what follows the # in the address.',
      );
  });
}

function connect(given: Lens, address: PageAddress, opens: boolean): void {
  widest.value = given;
  let hangUp = () => {};
  const through = (wanted: Lens) => {
    hangUp();
    hangUp = listenToServer(formatLens(wanted), (state) => {
      live.value = state;
      if (state === 'over' && opens) widest.value = GLASS;
    });
  };
  lensRequest.value = through;
  const wanted = address.lens === null ? given : (parseAvailableLens(address.lens) ?? given);
  live.value = 'connecting';
  openLive(wanted, address.t);
  goToAddress({ ...address, t: null });
  through(wanted);
}

export function acceptDrops(): void {
  addEventListener('dragover', (event) => event.preventDefault());
  addEventListener('drop', (event) => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file !== undefined && live.value === null) void openFile(file);
  });
}
