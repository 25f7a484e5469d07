/**
 * What each player of a journal was asked and answered, as messages, and each request to a model as an event.
 *
 * A journal holds answers, and not the prompts: a question names the moment and what was said and announced in public
 * since the player was asked before. Answers are the objects that were read, as canonical JSON.
 */
import { type PlayerCall, readCalls } from '../../actors/minds/openai/calls.ts';
import { JournalSpans } from '../../actors/telemetry/journalSpans.ts';
import { canonical } from '../../machines/journal/canonical.ts';
import type { BidFields, Line, OrderFields } from '../../machines/journal/lines.ts';
import type { Colour } from '../../machines/types.ts';
import type { Pricing } from '../accounts.ts';
import type {
  InspectAssistantMessage,
  InspectModelEvent,
  InspectOutput,
  InspectUserMessage,
} from './format.ts';
import { UsageSum } from './usage.ts';

export type ConversationOptions = {
  /** The moment in UTC at so many milliseconds of the match. */
  readonly momentAt: (ms: number) => string;
  /** What the model or mind of a player is called. */
  readonly modelOf: (seat: Colour) => string;
  readonly pricing: Pricing;
};

export type Conversation = {
  readonly messages: (InspectUserMessage | InspectAssistantMessage)[];
  readonly events: InspectModelEvent[];
};

/** What each player was asked and answered. */
export function readConversations(
  lines: readonly Line[],
  options: ConversationOptions,
): ReadonlyMap<Colour, Conversation> {
  const reader = new ConversationReader(options);
  const times = readTimes(lines);
  for (const [at, line] of lines.entries()) reader.read(line, at + 1, times[at] ?? 0);
  return reader.finish();
}

/** Milliseconds of the match at each line, by the clock of the spans. */
export function readTimes(lines: readonly Line[]): readonly number[] {
  const clock = new JournalSpans({ timeAt: (ms) => ms, prices: {}, hasContent: false });
  return lines.map((line) => {
    clock.read(line);
    return clock.lengthMs;
  });
}

/** A question, with its answer, that requests may belong to. */
type AskedPlace = {
  readonly question: InspectUserMessage;
  readonly answer: string | null;
  /** When its next request began. */
  nextMs: number;
};

/** How a tick, a turn or a round asks. */
type QuestionMoment = {
  readonly words: string;
  /** The kind and index that its requests have. */
  readonly requestKind: string;
  readonly index: number;
  readonly startMs: number;
  readonly replies: readonly (BidFields | OrderFields)[];
};

const MS = 1000;

class ConversationReader {
  readonly #options: ConversationOptions;
  readonly #conversations = new Map<Colour, Conversation>();
  /** What each player has heard since they were asked. */
  readonly #heard = new Map<Colour, string[]>();
  readonly #dead = new Set<Colour>();
  #doGhostsWatch = false;
  #meeting = 0;
  #livingMs = 0;
  #turnMs = 0;
  #nowMs = 0;
  #places = new Map<string, AskedPlace>();
  #waiting: PlayerCall[] = [];

  constructor(options: ConversationOptions) {
    this.#options = options;
  }

  read(line: Line, number: number, nowMs: number): void {
    this.#nowMs = nowMs;
    if (line.type === 'match.opened') this.#begin(line);
    this.#waiting.push(...readCalls([line]));
    const asking = this.#findAsking(line);
    if (asking !== null) {
      for (const reply of asking.replies) this.#ask(asking, reply, { line, number });
      if (line.channel === 'ghosts') this.#turnMs = nowMs;
      else this.#livingMs = nowMs;
    }
    this.#waiting = this.#waiting.filter((call) => {
      const place = this.#places.get(keyOf(call.requestKind, call.index, call.seat));
      if (place !== undefined) this.#addEvent(call, place);
      return place === undefined;
    });
    this.#spread(line);
  }

  /** Requests of which no line says what they were for come last. */
  finish(): ReadonlyMap<Colour, Conversation> {
    for (const call of this.#waiting) this.#addEvent(call, null);
    this.#waiting = [];
    for (const { events } of this.#conversations.values()) {
      events.sort((one, other) => one.working_start - other.working_start);
    }
    return this.#conversations;
  }

  #begin({ match }: Extract<Line, { type: 'match.opened' }>): void {
    for (const seat of match.seats) {
      this.#conversations.set(seat.colour, { messages: [], events: [] });
      this.#heard.set(seat.colour, []);
      if ('dead' in seat && seat.dead) this.#dead.add(seat.colour);
    }
  }

  #findAsking(line: Line): QuestionMoment | null {
    switch (line.type) {
      case 'round.closed': {
        const { round: index, orders: replies } = line;
        const words = `Round ${index} on the ship: what do you do?`;
        return { words, requestKind: 'action', index, startMs: this.#livingMs, replies };
      }
      case 'tick.closed': {
        const { tick: index, requestKind, bids: replies } = line;
        const words = `Meeting ${Math.max(1, this.#meeting)}, tick ${index}: ${requestKind}.`;
        return { words, requestKind, index, startMs: this.#livingMs, replies };
      }
      case 'turn.closed': {
        const { turn: index, bids: replies } = line;
        const words = `Meeting ${Math.max(1, this.#meeting)}, turn ${index} of the ghosts: ${line.requestKind}.`;
        // Whatever the table is at, ghosts are asked as ghosts.
        return { words, requestKind: 'ghost', index, startMs: this.#turnMs, replies };
      }
      default:
        return null;
    }
  }

  #ask(
    { words, requestKind, index, startMs }: QuestionMoment,
    { seat, received, fault, text, notes }: BidFields | OrderFields,
    { line, number }: { readonly line: Line; readonly number: number },
  ): void {
    const messages = this.#conversations.get(seat)?.messages;
    if (messages === undefined) return;
    const source = { line: number, hash: line.hash };
    const question: InspectUserMessage = {
      id: `${seat}-${number}-asked`,
      role: 'user',
      content: [...(this.#heard.get(seat) ?? []), words].join('\n'),
      metadata: fault === undefined ? source : { ...source, fault, text: text ?? null },
    };
    messages.push(question);
    this.#heard.set(seat, []);
    const answer = received === undefined ? null : canonical(received);
    if (answer !== null) {
      const codes = (notes ?? []).map(({ code }) => code);
      messages.push({
        ...this.#createAnswer(seat, `${seat}-${number}-answered`, answer),
        metadata: codes.length === 0 ? source : { ...source, notes: codes },
      });
    }
    this.#places.set(keyOf(requestKind, index, seat), { question, answer, nextMs: startMs });
  }

  #createAnswer(seat: Colour, id: string, content: string): InspectAssistantMessage {
    const model = this.#options.modelOf(seat);
    return { id, role: 'assistant', content, model, metadata: {} };
  }

  #addEvent(call: PlayerCall, place: AskedPlace | null): void {
    const { id, seat, requestKind, index, mode, ms, failure, isRepaired, reply } = call;
    const events = this.#conversations.get(seat)?.events;
    if (events === undefined) return;
    const startMs = place?.nextMs ?? this.#nowMs;
    if (place !== null) place.nextMs = startMs + ms;
    const content = reply ?? (failure === null ? (place?.answer ?? null) : null);
    const message = this.#createAnswer(seat, `${seat}-request-${events.length}`, content ?? '');
    const usage = new UsageSum();
    usage.add(call, this.#options.pricing(seat, call.usage));
    const model = this.#options.modelOf(seat);
    const output: InspectOutput = {
      model,
      choices:
        content === null ? [] : [{ message, stop_reason: failure === null ? 'stop' : 'unknown' }],
      completion: content ?? '',
      usage:
        call.usage.promptTokens === null && call.usage.completionTokens === null
          ? null
          : usage.total,
      time: ms / MS,
      error: failure,
    };
    const { momentAt } = this.#options;
    events.push({
      event: 'model',
      timestamp: momentAt(startMs),
      working_start: startMs / MS,
      model,
      role: seat,
      input: place === null ? [] : [place.question],
      tools: [],
      tool_choice: 'none',
      config: {},
      output,
      error: failure,
      completed: momentAt(startMs + ms),
      working_time: ms / MS,
      metadata: { id, request_kind: requestKind, index, mode, repaired: isRepaired },
    });
  }

  /** Lets players hear what is public in a line, for their next question. */
  #spread(line: Line): void {
    switch (line.type) {
      case 'round.closed':
        for (const event of line.events) {
          if (event.type === 'player.killed') this.#dead.add(event.victim);
        }
        break;
      case 'meeting.called': {
        this.#meeting += 1;
        // What was asked in an earlier meeting has the same names.
        this.#places = new Map();
        this.#turnMs = this.#nowMs;
        const { by, kind, body, place } = line;
        const why = kind === 'body' ? `: ${body ?? 'a player'} is dead` : '';
        this.#tell(`${by} calls a meeting (${kind})${why}${place === null ? '' : `, ${place}`}.`);
        break;
      }
      case 'gallery.opened':
        this.#doGhostsWatch = line.present;
        break;
      case 'ghost.joined':
        this.#dead.add(line.seat);
        break;
      case 'tick.closed':
        if (line.said !== null) this.#tell(`${line.said.speaker}: ${line.said.message}`);
        break;
      case 'turn.closed':
        if (line.said !== null) {
          this.#tell(`${line.said.speaker} (to the ghosts): ${line.said.message}`, 'ghosts');
        }
        break;
      case 'seat.departed':
        this.#tell(`${line.seat} has left.`);
        break;
      case 'ballot.revealed':
        this.#tell(`A ballot of ${line.voter ?? 'an unnamed player'}: ${line.ballot}.`);
        break;
      case 'verdict.announced':
        this.#tell(line.sentence);
        if (line.ejected !== null) this.#dead.add(line.ejected);
        break;
      default:
        break;
    }
  }

  #tell(words: string, to: 'table' | 'ghosts' = 'table'): void {
    for (const [seat, heard] of this.#heard) {
      const isDead = this.#dead.has(seat);
      if (to === 'ghosts' ? isDead : !isDead || this.#doGhostsWatch) heard.push(words);
    }
  }
}

function keyOf(requestKind: string, index: number | null, seat: Colour): string {
  return `${requestKind} ${index ?? -1} ${seat}`;
}
