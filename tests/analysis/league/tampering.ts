/** A league that was really played, and ways to tamper with it. */

import { hash } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { chainHash, chainOrigin } from '../../../actors/engine/journal/recorder.ts';
import { journalPath, listJournals, saveJournalsIn } from '../../../actors/league/journals.ts';
import type { LeaguePlan } from '../../../actors/league/plan.ts';
import type { GameResult } from '../../../actors/stores/result.ts';
import { type SealPlace, seal, unseal } from '../../../actors/stores/seal.ts';
import { type LeagueVerification, verifyLeague } from '../../../analysis/league/verify.ts';
import { canonical } from '../../../machines/journal/canonical.ts';
import { aPlan, type Given, played } from '../../actors/league/leagues.ts';
import { opened } from '../../actors/stores/kept.ts';

/** A played league: its store is the file `store.db`, its journals are beside it. */
export class PlayedLeague {
  readonly plan: LeaguePlan;
  readonly folder: string;

  private constructor(plan: LeaguePlan, folder: string) {
    this.plan = plan;
    this.folder = folder;
  }

  static async play(
    file: Parameters<typeof aPlan>[0] = {},
    given: Pick<Given, 'play'> = {},
  ): Promise<PlayedLeague> {
    const league = new PlayedLeague(aPlan(file), mkdtempSync(join(tmpdir(), 'glassbox-verify-')));
    const store = await opened(league.storePath);
    const save = saveJournalsIn(league.journals, league.plan.league.games);
    await played(league.plan, {
      ...given,
      store,
      save: (slot, text) => save(slot, text ?? ''),
    });
    await store.close();
    return league;
  }

  copy(): PlayedLeague {
    const folder = mkdtempSync(join(tmpdir(), 'glassbox-verify-'));
    cpSync(this.folder, folder, { recursive: true });
    return new PlayedLeague(this.plan, folder);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  get storePath(): string {
    return join(this.folder, 'store.db');
  }

  get journals(): string {
    return join(this.folder, 'journals');
  }

  journal(slot: number): string {
    return journalPath(this.journals, slot, this.plan.league.games);
  }

  rewrite(slot: number, change: (text: string) => string): void {
    const path = this.journal(slot);
    writeFileSync(path, change(readFileSync(path, 'utf8')));
  }

  sql(statement: string, ...values: readonly (string | number)[]): void {
    const file = new DatabaseSync(this.storePath);
    file.prepare(statement).run(...values);
    file.close();
  }

  /** Changes a result as a forger would, who gives it a seal that fits. */
  forge(slot: number, change: (result: Omit<GameResult, 'clock'>) => object): void {
    this.forgePart('body', 'result', slot, change);
  }

  /** Lets a result name the journal that is in the folder now. */
  nameJournal(slot: number): void {
    const text = readFileSync(this.journal(slot), 'utf8');
    const rows = text
      .trimEnd()
      .split('\n')
      .map((row) => JSON.parse(row));
    const last = (channel: string) => rows.findLast((row) => row.channel === channel)?.hash;
    this.forge(slot, (result) => ({
      ...result,
      journal: { living: last('living'), ghosts: last('ghosts') },
    }));
    this.forgePart('clock', 'clock', slot, () => ({ journal: hash('sha256', text, 'hex') }));
  }

  private forgePart(
    column: 'body' | 'clock',
    what: string,
    slot: number,
    change: (value: never) => object,
  ): void {
    const { name } = this.plan.league;
    const place: SealPlace = [what, name, slot];
    const file = new DatabaseSync(this.storePath);
    const row = file.prepare(`SELECT ${column} AS text FROM result WHERE slot = ?`).get(slot);
    const text = unseal(place, String(row?.['text']));
    if (text === null) throw new Error(`expected a sealed ${column} of slot ${slot}`);
    const forged = seal(place, canonical(change(JSON.parse(text) as never)));
    file.prepare(`UPDATE result SET ${column} = ? WHERE slot = ?`).run(forged, slot);
    file.close();
  }

  /** What verification finds, as codes with the numbers of their slots. */
  async verify(games = 0): Promise<readonly string[]> {
    const { findings } = await this.inspect(games);
    return findings.map(({ slot, code }) => `${slot ?? 'all'} ${code}`);
  }

  /** Verifies the league, with the journals in its folder or as they are found otherwise. */
  async inspect(
    games: number,
    findJournal: (slot: number) => Promise<string | null> = async (slot) => this.#read(slot),
  ): Promise<LeagueVerification> {
    const store = await opened(this.storePath);
    try {
      return await verifyLeague({
        store,
        plan: this.plan,
        findJournal,
        journals: this.#listed,
        sample: { games, seed: 1 },
      });
    } finally {
      await store.close();
    }
  }

  get #listed(): readonly number[] {
    return listJournals(this.journals, this.plan.league.games);
  }

  #read(slot: number): string | null {
    return this.#listed.includes(slot) ? readFileSync(this.journal(slot), 'utf8') : null;
  }
}

/** Chains the lines of a journal anew, as a forger would. */
export function rechain(text: string): string {
  const hashes: Record<string, string> = {
    living: chainOrigin('living'),
    ghosts: chainOrigin('ghosts'),
    beliefs: chainOrigin('beliefs'),
  };
  return text
    .trimEnd()
    .split('\n')
    .map((row) => {
      const { hash: _hash, clock, ...line } = JSON.parse(row);
      const body = canonical(line);
      const hashed = chainHash(hashes[line.channel] ?? '', body);
      hashes[line.channel] = hashed;
      const times = clock === undefined ? '' : `,"clock":${canonical(clock)}`;
      return `${body.slice(0, -1)}${times},"hash":"${hashed}"}\n`;
    })
    .join('');
}
