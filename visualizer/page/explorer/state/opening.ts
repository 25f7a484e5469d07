/** Opening: the report that is packed in this document. */

import type { ExplorerReport } from '../../../../proofs/explorer/report.ts';
import { unpackText } from '../../frame/embedded.ts';
import { placeIn } from './address.ts';
import { goTo, report, trouble } from './visit.ts';

export async function openReport(): Promise<void> {
  try {
    const found: ExplorerReport = JSON.parse(await unpackText('report'));
    if (found.v !== 1) {
      trouble.value = `This page reads reports of format 1, and this one has ${found.v}.`;
      return;
    }
    report.value = found;
    goTo(placeIn(location.hash));
  } catch {
    trouble.value = 'The report in this file is damaged and can’t be unpacked.';
  }
}
