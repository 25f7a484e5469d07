import type { Interval } from '../../../analysis/counts/numeric.ts';
import type { WinShare } from '../../../analysis/league/types.ts';
import { formatCount } from '../../../machines/text.ts';
import { formatRange, formatTenths } from '../../text.ts';
import { positionOn, type Scale, SHARES } from './ranking.ts';

type Spread = { readonly value: number; readonly least: number; readonly most: number };

export function Plot({ spread, scale }: { readonly spread: Spread; readonly scale: Scale }) {
  const at = (value: number) => `${(100 * positionOn(value, scale)).toFixed(2)}%`;
  const side = spread.value < scale.zero ? 'below' : 'above';
  return (
    <span
      class="plot"
      aria-hidden="true"
      data-side={side}
      style={{
        '--at': at(spread.value),
        '--least': at(spread.least),
        '--most': at(spread.most),
        '--zero': at(scale.zero),
      }}
    >
      <i class="axis" />
      <i class="fill" />
      <i class="reach" />
      <i class="dot" />
    </span>
  );
}

export function Axis({ scale, word }: Readonly<{ scale: Scale; word: (tick: number) => string }>) {
  return (
    <span class="ticks" aria-hidden="true">
      {scale.ticks.map((tick) => {
        const at = positionOn(tick, scale);
        const end = at < EDGE ? 'least' : at > 1 - EDGE ? 'most' : undefined;
        return (
          <span key={tick} data-end={end} style={{ left: `${(100 * at).toFixed(2)}%` }}>
            {word(tick)}
          </span>
        );
      })}
    </span>
  );
}

/** Figures closer to the end of the axis than this would overflow it. */
const EDGE = 0.09;

export function toSpread({ share, least, most }: Interval): Spread {
  return { value: share, least, most };
}

/** A share of games with its interval. A star marks too few games. */
export function Won({ share }: { readonly share: WinShare }) {
  if (share.interval === null) return <span class="none">–</span>;
  return (
    <>
      <span class="figure">
        <b>{formatTenths(share.interval.share)}</b>
        {share.few ? <Few /> : null}{' '}
        <span class="range">
          ({formatRange(share.interval)}), n = {formatCount(share.games)}
        </span>
      </span>
      <Plot spread={toSpread(share.interval)} scale={SHARES} />
    </>
  );
}

export function Few() {
  return (
    <span class="few">
      <span aria-hidden="true">*</span>
      <span class="vh"> too few games</span>
    </span>
  );
}
