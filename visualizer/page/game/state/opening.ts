/** Opening: from where the journal of this page comes. */
import type { Lens, SeenLine } from '../../../../machines/journal/lens.ts';
import { parseLens } from '../../../../machines/journal/lens.ts';
import { embeddedJournal, embeddedSource } from '../source/embedded.ts';
import { LONGEST, type Read, readRows, tooLong } from '../source/journal.ts';
import { listen } from '../source/live.ts';
import { takeTicket } from '../source/ticket.ts';
import { type Address, addressIn, goTo } from './address.ts';
import { askWith } from './lenses.ts';
import { hear } from './news.ts';
import { holdSeat } from './seat.ts';
import {
  beginAtTheBeginning,
  damaged,
  facts,
  grow,
  isLoading,
  journalName,
  lensIn,
  lensName,
  live,
  openLive,
  openSeen,
  openWhole,
  trouble,
  UNREADABLE,
  widest,
} from './session.ts';

const GLASS: Lens = { type: 'glass' };

/** Opens what the document says. */
export async function openDocument(): Promise<void> {
  const source = embeddedSource();
  if (source.type === 'none') return refuse('Choose a journal, a file whose name ends in .jsonl.');
  const given = parseLens(source.lens) ?? GLASS;
  journalName.value = source.name;
  damaged.value = source.damaged;
  if (source.type === 'live') {
    if (source.isOver === true) beginAtTheBeginning();
    return enter(given, source.opens === true);
  }
  try {
    openText(await embeddedJournal(), given);
  } catch {
    refuse('The journal in this file is damaged and can’t be unpacked.');
  }
}

/** Opens a file of this device. */
export async function openFile(file: File): Promise<void> {
  journalName.value = file.name;
  damaged.value = 0;
  if (file.size > LONGEST) return refuse(tooLong(file.size));
  openText(await file.text(), GLASS);
}

function refuse(sentence: string): void {
  isLoading.value = false;
  trouble.value = sentence;
}

function openText(text: string, given: Lens): void {
  const address = addressIn(location.hash);
  widest.value = given;
  try {
    if (given.type === 'glass') {
      const read = readRows(text, facts.format);
      if (read.ok) openWhole(read.lines, parseLens(address.lens ?? '') ?? given);
      taken(read, address);
    } else {
      const read = readRows<SeenLine>(text, facts.format);
      if (read.ok) openSeen(read.lines, given);
      taken(read, address);
    }
  } catch {
    refuse(UNREADABLE);
  }
}

function taken(read: Read<SeenLine>, address: Address): void {
  if (!read.ok) {
    refuse(read.sentence);
    return;
  }
  damaged.value += read.damaged;
  trouble.value = '';
  goTo(address);
}

/** Enters a room: with a ticket through the eyes of its seat, without one as everybody does. */
function enter(given: Lens, opens: boolean): void {
  // The page writes its own address as soon as it is there, and the server may take longer than that.
  const address = addressIn(location.hash);
  const found = opens ? takeTicket(location.hash) : null;
  const openAs = (lens: Lens) => openServer(lens, address, opens);
  if (found === null) {
    openAs(given);
    return;
  }
  holdSeat((seat) => {
    if (seat !== null) openAs({ type: 'player', seat });
    else if (found === 'tab') openAs(given);
    else
      refuse(
        'This link is of no seat of the game that is on here. Without what follows the # one can watch.',
      );
  });
}

function openServer(given: Lens, address: Address, opens: boolean): void {
  widest.value = given;
  let hangUp = () => {};
  const through = (wanted: Lens) => {
    hangUp();
    hangUp = listen(lensName(wanted), {
      onLines: grow,
      onNews: hear,
      onState: (state) => {
        live.value = state;
        if (state === 'over' && opens) widest.value = GLASS;
      },
    });
  };
  askWith(through);
  const wanted = address.lens === null ? given : (lensIn(address.lens) ?? given);
  live.value = 'connecting';
  openLive(wanted, address.t);
  goTo({ ...address, t: null });
  through(wanted);
}
