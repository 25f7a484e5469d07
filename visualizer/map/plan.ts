/** The plan: what a picture needs to know of a ship. It is handed in; the picture knows no rules. */
import type { Place, Room } from '../../machines/types.ts';

export interface Plan {
  readonly name: string;
  readonly places: readonly Place[];
  readonly openings: Readonly<Partial<Record<Place, readonly Place[]>>>;
  readonly vents: readonly {
    readonly id: number;
    readonly place: Place;
    readonly links: readonly number[];
  }[];
  readonly doors: readonly Room[];
  readonly cameras: { readonly at: Room; readonly show: readonly Place[] } | null;
  readonly adminTable: Room | null;
  readonly button: Room;
  /** Where each system is fixed, by its name. */
  readonly consoles: Readonly<Record<string, readonly Room[]>>;
  /** Where there is something to do; `visual` where others can see it being done. */
  readonly tasks: readonly {
    readonly place: Place;
    readonly name: string;
    readonly visual: boolean;
  }[];
}
