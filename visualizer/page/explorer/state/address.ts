/** The address: "#run=house-3&p=ends&s=2&v=space" says where one is, so that it can be sent. */
import { copyLinkTo, syncAddressBar } from '../../frame/address.ts';
import { type ExplorerPlace, goTo, property, run, step, VIEWS, view, wasJump } from './visit.ts';

export function placeIn(hash: string): ExplorerPlace {
  const fields = new URLSearchParams(hash.replace(/^#/, ''));
  const s = Number(fields.get('s') ?? '0');
  return {
    run: fields.get('run'),
    p: fields.get('p'),
    s: Number.isSafeInteger(s) ? s : 0,
    v: VIEWS.find((each) => each === fields.get('v')) ?? null,
  };
}

function addressNow(): string {
  const fields = new URLSearchParams({
    run: run.value?.key ?? '',
    p: property.value?.name ?? '',
    s: `${step.value}`,
    v: view.value,
  });
  return `#${fields}`;
}

export function keepAddress(): void {
  syncAddressBar({ now: addressNow, goTo: (hash) => goTo(placeIn(hash)), wasJump });
}

export function copyLink(): void {
  copyLinkTo(addressNow(), 'this step');
}
