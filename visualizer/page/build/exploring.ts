/** Exploring: the findings of a check in the page that explores them, packed so that nothing in them can be markup. */
import { gzipSync } from 'node:zlib';
import type { Report } from '../explorer/report.ts';
import { pageWith } from './page.ts';

export function explorerPage(report: Report): Promise<string> {
  const packed = gzipSync(JSON.stringify(report)).toString('base64');
  const source = `<script type="application/octet-stream" id="report">${packed}</script>`;
  return pageWith('explorer', source);
}
