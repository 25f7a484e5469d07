/** The address: "#persona=gpt4o_leader" or "#sort=crew&model=gpt4o" says what is looked at, so that it can be sent. */
import { COLUMNS, type Sorting, STRONGEST_FIRST } from './order.ts';

export type Address = {
  /** The id of the persona that is shown; null for the whole league. */
  readonly persona: string | null;
  readonly sorting: Sorting;
  /** Only personas of this model; '' for all. */
  readonly model: string;
  /** Only personas with these words in their names. */
  readonly find: string;
};

export function addressIn(hash: string): Address {
  const fields = new URLSearchParams(hash.replace(/^#/, ''));
  const column = COLUMNS.find((each) => each === fields.get('sort'));
  return {
    persona: fields.get('persona'),
    sorting:
      column === undefined
        ? STRONGEST_FIRST
        : { column, isRising: fields.get('order') === 'rising' },
    model: fields.get('model') ?? '',
    find: fields.get('find') ?? '',
  };
}

/** What is as it always is stands in no address. */
export function hashOf({ persona, sorting, model, find }: Address): string {
  const fields = new URLSearchParams();
  if (persona !== null) fields.set('persona', persona);
  const { column, isRising } = sorting;
  if (column !== STRONGEST_FIRST.column || isRising) {
    fields.set('sort', column);
    if (isRising) fields.set('order', 'rising');
  }
  if (model !== '') fields.set('model', model);
  if (find !== '') fields.set('find', find);
  return fields.size === 0 ? WHOLE : `#${fields.toString()}`;
}

/** The league as it is first seen. */
const WHOLE = '#league';

export function personaLink(id: string): string {
  return `#${new URLSearchParams({ persona: id }).toString()}`;
}
