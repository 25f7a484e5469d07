/** Measures: how everybody plays, role by role, in shares and means. */
import { signal } from '@preact/signals';
import { ROLES, type Role } from '../../../machines/types.ts';
import { Panel } from '../frame/panel.tsx';
import { personaLink } from './address.ts';
import type { Measure, Row } from './league.ts';
import type { Place } from './order.ts';
import { short, spoken, whole } from './words.ts';

const role = signal<Role>('crewmate');

/** What there is to say of a persona in this role; names that say nothing of anybody are left out. */
function told(rows: readonly Row[], which: Role): readonly string[] {
  const names = rows[0]?.tallies[which].map(({ name }) => name) ?? [];
  return names.filter((name) =>
    rows.some(({ tallies }) => (found(tallies[which], name)?.count ?? 0) > 0),
  );
}

function found(measures: readonly Measure[], name: string): Measure | undefined {
  return measures.find((measure) => measure.name === name);
}

export function Measures({ places }: { readonly places: readonly Place[] }) {
  const rows = places.map(({ row }) => row);
  const names = told(rows, role.value);
  return (
    <Panel id="measures" title="How they play" aside={<RoleSwitch />}>
      {names.length === 0 ? <p class="quiet">Nothing has been counted yet.</p> : null}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached with keys. */}
      <section class="wide" tabIndex={0} aria-label="How they play, scrolls sideways">
        <table class="measures">
          <caption class="vh">As {role.value}</caption>
          <thead>
            <tr>
              <th scope="col">As {role.value}</th>
              {names.map((name) => (
                <th key={name} scope="col">
                  {spoken(name)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {places.map(({ row, persona }) => (
              <tr key={row.id}>
                <th scope="row">
                  <a href={personaLink(row.id)}>{persona.name}</a>
                </th>
                {names.map((name) => (
                  <Figure key={name} row={row} name={name} most={mostOf(rows, name)} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p class="legend">
        Bars are shares of the largest figure in their column. Vote accuracy counts votes for
        impostors, of those that were for somebody; bus rate an impostor’s votes for partners;
        persuasion the ballots that follow an accusation, of those that came after it.
      </p>
    </Panel>
  );
}

function RoleSwitch() {
  return (
    <fieldset class="lenses">
      <legend class="vh">Role</legend>
      {ROLES.map((each) => (
        <button
          key={each}
          type="button"
          class="small"
          aria-pressed={role.value === each}
          onClick={() => {
            role.value = each;
          }}
        >
          {each}
        </button>
      ))}
    </fieldset>
  );
}

function mostOf(rows: readonly Row[], name: string): number {
  return rows.reduce(
    (most, { tallies }) => Math.max(most, found(tallies[role.value], name)?.value ?? 0),
    0,
  );
}

type FigureProps = { readonly row: Row; readonly name: string; readonly most: number };

function Figure({ row, name, most }: FigureProps) {
  const measure = found(row.tallies[role.value], name);
  if (measure === undefined || measure.value === null) return <td class="none">–</td>;
  return (
    <td
      style={{ '--share': most === 0 ? 0 : measure.value / most }}
      title={`${whole(measure.count)} of ${whole(measure.of)}`}
    >
      {short(measure.value)}
    </td>
  );
}

/** All measures of one persona, in both roles. */
export function OwnMeasures({ row }: { readonly row: Row }) {
  const lists = ROLES.map((which) => [which, told([row], which)] as const);
  const names = [...new Set(lists.flatMap(([, list]) => list))];
  if (names.length === 0) return <p class="quiet">Nothing has been counted yet.</p>;
  return (
    <table class="own">
      <caption class="vh">How they play, by role</caption>
      <thead>
        <tr>
          <th scope="col">
            <span class="vh">Measure</span>
          </th>
          {ROLES.map((which) => (
            <th key={which} scope="col">
              as {which}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {names.map((name) => (
          <tr key={name}>
            <th scope="row">{spoken(name)}</th>
            {ROLES.map((which) => (
              <OwnFigure key={which} measure={found(row.tallies[which], name)} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function OwnFigure({ measure }: { readonly measure: Measure | undefined }) {
  if (measure === undefined || measure.value === null) return <td class="none">–</td>;
  return (
    <td>
      <b>{short(measure.value)}</b>{' '}
      <small>
        {whole(measure.count)} of {whole(measure.of)}
      </small>
    </td>
  );
}
