/** A match that is shown while it is played: in this terminal, in the browser, or in neither. */
import type { BeliefSettings } from '../actors/engine/beliefs.ts';
import type { GameFinish, MeetingResult, ReadyGame, ReadyMeeting } from '../actors/engine/match.ts';
import { playMatch, takesRealTime } from '../actors/engine/play.ts';
import { abandonJournal, type JournalFile, openAhead } from '../actors/files/newFiles.ts';
import type { HumanSeats } from '../actors/minds/human/seats.ts';
import type { Mind } from '../actors/minds/port.ts';
import { createWritingBoard, type WritingBoard } from '../actors/minds/writing.ts';
import { realTime } from '../actors/ports/time.ts';
import type { Lens } from '../machines/journal/lens.ts';
import { isOwn } from '../machines/rules/mindKinds.ts';
import { capitalize, pluralize } from '../machines/text.ts';
import type { BySeat, Colour } from '../machines/types.ts';
import { filterStatus } from '../visualizer/server/broadcast.ts';
import { clean } from '../visualizer/terminal/layout.ts';
import { type LivePage, showLive } from './live.ts';
import { pausedFailure, type ShownModels } from './models.ts';
import { cleanLines, isTerminal, printNote } from './output.ts';
import type { LinePrinter } from './printer.ts';
import { listenForStop } from './stop.ts';
import { commandLine } from './usage.ts';

type Showing = {
  readonly file: JournalFile;
  /** Prints the lines in this terminal; null where nothing is printed. */
  readonly print: LinePrinter | null;
  readonly host: LivePage | null;
  readonly thinking: ShownModels;
  /** When players state their beliefs, and their minds. Null: never. */
  readonly beliefs: BeliefSettings | null;
  readonly lens: Lens;
  readonly company: HumanSeats;
  /** Whether the ship passes without rests until somebody calls. */
  readonly skipsToCall: boolean;
};

/** Plays a match to its end; fails where its journal can't be written or its models can't go on. */
export function showMatch(ready: ReadyMeeting, showing: Showing): Promise<MeetingResult>;
export function showMatch(ready: ReadyGame, showing: Showing): Promise<GameFinish>;
export async function showMatch(
  prepared: ReadyMeeting | ReadyGame,
  showing: Showing,
): Promise<MeetingResult | GameFinish> {
  const { file, print, host, thinking, company } = showing;
  const { sink, path } = file;
  const minds = host === null ? prepared.minds : host.startGame(path, prepared.minds);
  const own = watchOwnMinds(prepared, minds);
  const ready = { ...prepared, minds: own.minds };
  if (host !== null) thinking.onFailure = (seat, code) => host.thinking?.reportFailure(seat, code);
  const board = showWriting({
    thinking,
    isInTerminal: print?.isProse === true && showing.lens.type === 'glass',
    host,
    hasPeople: company.seats.length > 0,
  });
  if (host !== null) pinWaiting(host, showing);
  const show = showLive(print, host, showing.skipsToCall);
  const onStart = listenForStop({
    sink,
    isReal: print !== null && takesRealTime(ready),
    words: STOPPED,
    note: (text) => thinking.costLine.above(() => printNote(text)),
  });
  const ahead = openAhead(path, false);
  if (ahead !== null) thinking.writeAhead(ahead);
  const match = playMatch(ready, {
    sink,
    beliefs: showing.beliefs,
    people: company,
    onLine:
      show === null
        ? null
        : (line) => {
            board?.noteLine(line);
            return company.above(() => thinking.costLine.above(() => show(line)));
          },
  });
  thinking.attach(match, match.recorder);
  onStart({ stop: () => match.pause() });
  const result = await match.result.finally(() => thinking.costLine.end());
  await thinking.close();
  for (const sentence of own.describeFaults()) printNote(sentence);
  if (sink.failure !== null) throw abandonJournal(file);
  if (thinking.paused !== null) throw await pausedFailure(thinking, thinking.paused, path);
  if (!isInterrupted(result)) ahead?.remove();
  return result;
}

export const STOPPED = 'The match stops here, and "resume" continues it';

export function isInterrupted(result: MeetingResult | GameFinish): boolean {
  return ('outcome' in result ? result.outcome : result.reason) === 'interrupted';
}

function pinWaiting(host: LivePage, { thinking, lens }: Showing): void {
  const pin = (seat: Colour | null) => {
    const who = seat === null ? '' : `Waiting for ${capitalize(seat)}.   `;
    thinking.costLine.pin(`${who}Live: ${host.server?.url ?? ''}   Ctrl-C stops the match.`);
  };
  let last: Colour | null = null;
  pin(last);
  host.onStatus = (status) => {
    const { waitedFor } = filterStatus(lens, status);
    if (waitedFor === last) return;
    last = waitedFor;
    pin(last);
  };
}

/** Counts the faults of own minds: a game that a broken mind has lost looks like any other. */
function watchOwnMinds({ match }: ReadyMeeting | ReadyGame, minds: BySeat<Mind>) {
  const seats = match.seats.filter(isOwn).map(({ colour }) => colour);
  const counts = new Map(seats.map((seat) => [seat, { asked: 0, failed: 0, last: '' }]));
  const watched: Partial<Record<Colour, Mind>> = { ...minds };
  for (const [seat, count] of counts) {
    const mind = minds[seat];
    if (mind === undefined) continue;
    watched[seat] = {
      pace: 'in-time',
      answer: async (request, signal, keepTime) => {
        count.asked += 1;
        const answer = await mind.answer(request, signal, keepTime);
        if (!answer.ok) {
          count.failed += 1;
          count.last = `${answer.text} [${answer.code}]`;
        }
        return answer;
      },
    };
  }
  const describeFaults = () =>
    [...counts].flatMap(([seat, { asked, failed, last }]) =>
      failed === 0
        ? []
        : [
            `${capitalize(seat)}: ${failed} of ${pluralize(asked, 'request')} failed, the last: ${cleanLines(last)}`,
          ],
    );
  return { minds: watched, describeFaults };
}

type WritingPlaces = {
  readonly thinking: ShownModels;
  readonly isInTerminal: boolean;
  readonly host: LivePage | null;
  /** Whether people play: then nobody sees it. */
  readonly hasPeople: boolean;
};

/** Shows word by word the text that models write, in the terminal and in the page. Null without a viewer through the glass. */
export function showWriting(places: WritingPlaces): WritingBoard | null {
  const { thinking, isInTerminal, host, hasPeople } = places;
  const isPrinted = isInTerminal && isTerminal() && process.stderr.isTTY === true;
  const isInPage = host?.broadcast.widest.type === 'glass';
  if (hasPeople || !(isPrinted || isInPage)) return null;
  const board = createWritingBoard(realTime);
  if (isInPage) board.watch((writing) => host?.thinking?.reportWriting(writing));
  if (isPrinted) board.watch((writing) => thinking.costLine.write(writing));
  thinking.onWriting = (asked, words) => board.note(asked, words);
  if (!thinking.isStreamChosen) thinking.streams = true;
  return board;
}

export function printNextSteps(path: string, isOver: boolean): void {
  printNote(`\nJournal:      ${clean(path)}`);
  printNote(`See it:       ${clean(commandLine('view', path))}`);
  if (isOver) printNote(`What decided: ${clean(commandLine('why', path))}`);
  else printNote(`Continue it:  ${clean(commandLine('resume', path))}`);
}
