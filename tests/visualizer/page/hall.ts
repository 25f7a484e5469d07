import { readFileSync } from 'node:fs';
import { readMeeting } from '../../../actors/engine/configFile.ts';
import { readJournal } from '../../../actors/engine/journal/reader.ts';
import { Recorder } from '../../../actors/engine/journal/recorder.ts';
import { MemorySink } from '../../../actors/engine/journal/sink.ts';
import { createMatch, startMatch } from '../../../actors/engine/match.ts';
import { HumanSeats } from '../../../actors/minds/human/seats.ts';
import { type ModelMinds, silentMind } from '../../../actors/minds/kinds.ts';
import { realTime } from '../../../actors/ports/time.ts';
import { replay } from '../../../actors/replay/replay.ts';
import { createPlayRoutes } from '../../../cli/live.ts';
import type { Line } from '../../../machines/journal/lines.ts';
import { plainGame } from '../../../machines/setup/prepare.ts';
import type { Colour } from '../../../machines/types.ts';
import { createLivePage } from '../../../visualizer/page/build/pages.ts';
import { Broadcast } from '../../../visualizer/server/broadcast.ts';
import { type LiveServer, serve } from '../../../visualizer/server/server.ts';

/** Long enough that nothing is late, however slow the machine is. */
const PATIENT = 600_000;

export type Hall = {
  readonly company: HumanSeats;
  readonly live: LiveServer;
  readonly url: string;
  readonly link: string;
  readonly token: string;
  readonly lines: readonly Line[];
  /** Begins to play; kept when it is over and everybody may look. */
  begin(): Promise<void>;
  /** Whether the journal is played again to the byte. */
  replays(): Promise<boolean>;
};

type Create = (minds: ModelMinds) => ReturnType<typeof createMatch>;

async function hallFor(seat: Colour, deadlineMs: number, create: Create): Promise<Hall> {
  const company = new HumanSeats([seat], { table: deadlineMs, ship: deadlineMs });
  const feed = new Broadcast({ type: 'glass' });
  const page = await createLivePage({ lens: 'table', name: 'a test', damaged: 0, opens: true });
  const live = await serve(
    createPlayRoutes(company, feed, page, () => Promise.resolve({ secret: 'a prompt' })),
    0,
  );
  const hash = company.links[0]?.hash ?? '';
  const lines: Line[] = [];
  const sink = new MemorySink();
  const recorder = new Recorder({
    sink,
    onLine: ({ line }) => {
      lines.push(line);
      feed.add(line);
    },
  });
  return {
    company,
    live,
    url: live.url,
    link: `${live.url}${hash}`,
    token: hash.replace('#seat=', ''),
    lines,
    begin: async () => {
      const creation = create(company.minds(() => silentMind));
      if (!creation.ok) throw new Error('the match makes no sense');
      const { headers, ...ready } = creation.ready;
      recorder.write('living', [headers.living]);
      recorder.write('ghosts', [headers.ghosts]);
      await startMatch({ ...ready, clock: realTime, recorder }).result;
      company.close();
      feed.end();
    },
    replays: async () => (await replay(readJournal(sink.text))).type === 'same',
  };
}

export function meetingHall(example: string, seat: Colour, deadlineMs = PATIENT): Promise<Hall> {
  const file = new URL(`../../../examples/${example}.yaml`, import.meta.url);
  const reading = readMeeting(readFileSync(file, 'utf8'));
  if (!reading.ok) throw new Error('the example does not read');
  const match = reading.value;
  const seats = seated(match.seats, seat);
  const options = { ...match.options, deadline_ms: deadlineMs };
  return hallFor(seat, deadlineMs, (minds) => createMatch({ ...match, seats, options }, 5, minds));
}

export function gameHall(seat: Colour, seed: number): Promise<Hall> {
  const lobby = plainGame(5);
  const few = { common_tasks: 0, long_tasks: 0, short_tasks: 1 };
  const deadlines = { deadline_ms: PATIENT, round_deadline_ms: PATIENT };
  const options = { ...lobby.options, ...few, ...deadlines };
  const seats = seated(lobby.seats, seat);
  return hallFor(seat, PATIENT, (minds) => createMatch({ ...lobby, options, seats }, seed, minds));
}

function seated<S extends { readonly colour: Colour }>(seats: readonly S[], seat: Colour) {
  return seats.map((each) => (each.colour === seat ? { ...each, mind: 'human' as const } : each));
}
