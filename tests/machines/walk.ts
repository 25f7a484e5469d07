/**
 * A walk through a statechart without running it: `transition` gives the next state and the effects as data.
 *
 * Nothing is executed, no timer runs: a delayed event waits in `due` until the walk takes it.
 */
import { type EventObject, initialTransition, transition } from 'xstate';
import { meetingMachine } from '../../machines/charts/meeting.ts';
import type { ToMeeting } from '../../machines/messages.ts';
import type { ClosedTick, Fact } from '../../machines/rules/facts.ts';
import type { MeetingSetup } from '../../machines/rules/meeting.ts';
import type { MeetingOptions } from '../../machines/rules/options.ts';
import type { Bid, Colour, Phase } from '../../machines/types.ts';
import { aTable, aTick } from './builders.ts';

type Taken = ReturnType<typeof initialTransition<typeof meetingMachine>>;
export type State = Taken[0];
type Effect = Taken[1][number];

/** An effect as far as the walk looks at it. The types of xstate leave out the cancelling of a timer. */
type Told = { readonly type: string; readonly params: unknown };

export class Walk {
  state: State;
  readonly facts: Fact[] = [];
  readonly asked: EventObject[] = [];
  private due: EventObject | null = null;
  private ticks = 0;

  constructor(setting: MeetingSetup) {
    const [state, effects] = initialTransition(meetingMachine, setting);
    this.state = state;
    this.note(effects);
  }

  send(event: ToMeeting): this {
    return this.take(event);
  }

  tick(bids: readonly Bid[] = [], tick: Partial<ClosedTick> = {}): this {
    const requestKind = this.state.matches('voting') ? 'voting' : 'discussion';
    const closed = aTick(bids, { tick: this.ticks, requestKind, ...tick });
    this.ticks += 1;
    return this.send({ ...closed, type: 'tick.closed' });
  }

  leave(seat: Colour): this {
    return this.send({ type: 'seat.left', seat });
  }

  stop(outcome: 'interrupted' | 'unconverged'): this {
    return this.send({ type: 'meeting.stopped', outcome });
  }

  react(bids: readonly Bid[] = []): this {
    return this.tick(bids, { requestKind: 'reaction', decision: null });
  }

  consolidate(bids: readonly Bid[] = []): this {
    return this.tick(bids, { requestKind: 'consolidation', decision: null });
  }

  beat(): this {
    const { due } = this;
    if (due === null) throw new Error(`no timer runs in ${JSON.stringify(this.state.value)}`);
    this.due = null;
    // A delayed event is one that xstate made for itself, so it is in no union of ours.
    return this.take(due as ToMeeting);
  }

  rest(): this {
    while (this.due !== null) this.beat();
    return this;
  }

  get at(): string {
    return paths(this.state.value).join(' ');
  }

  get phases(): readonly Phase[] {
    return this.facts.flatMap((fact) => (fact.type === 'phase.entered' ? [fact.phase] : []));
  }

  told(type: Fact['type']): readonly Fact[] {
    return this.facts.filter((fact) => fact.type === type);
  }

  private take(event: ToMeeting): this {
    const [state, effects] = transition(meetingMachine, this.state, event);
    this.state = state;
    this.note(effects);
    return this;
  }

  private note(effects: readonly Effect[]): void {
    for (const { type, params } of effects as readonly Told[]) {
      if (type === 'xstate.raise') this.due = eventOf(params);
      if (type === 'xstate.cancel') this.due = null;
      if (type === 'xstate.sendTo') this.asked.push(eventOf(params));
      if (type === 'announceFacts') this.facts.push(...factsOf(params));
    }
  }
}

/** The parameters of an effect are unknown to xstate's types; these two are the shapes that it gives them. */
function eventOf(params: unknown): EventObject {
  return (params as { event: EventObject }).event;
}

function factsOf(params: unknown): readonly Fact[] {
  return (params as { facts: readonly Fact[] }).facts;
}

export function paths(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return Object.entries(Object(value)).flatMap(([state, inner]) =>
    paths(inner).map((path) => `${state}.${path}`),
  );
}

export function talking(options: Partial<MeetingOptions> = {}): Walk {
  return new Walk(aTable({ options })).rest();
}

/** A classic meeting in its first tick of timed voting: 3 ticks of talk are over. */
export function voting(options: Partial<MeetingOptions> = {}): Walk {
  return talking({ rules: 'classic', ...options })
    .tick()
    .tick()
    .tick();
}
