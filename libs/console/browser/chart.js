import { html, svg } from 'lit';
import { localTime } from './page.js';
import { tableOf } from './table.js';

/** @typedef {{ at: string, calls: number, refused: number, failed: number }} Bucket */

const HEIGHT = 120;
const BAR = 20;

/** @type {import('./table.js').Column[]} */
const columns = [
  ['From', ({ at }) => localTime(at)],
  ['Calls', ({ calls }) => calls],
  ['Refused', ({ refused }) => refused],
  ['Failed', ({ failed }) => failed],
];

/** How many calls there were, as bars, with a table of the same numbers behind them. @param {unknown} caption @param {Bucket[]} buckets @param {unknown[]} sums */
export function barChart(caption, buckets, [calls, refused, failed]) {
  const most = Math.max(1, ...buckets.map(({ calls }) => calls));
  const width = Math.max(1, buckets.length) * BAR;
  return html`<figure>
    <figcaption>${caption}: calls ${calls}, refused ${refused}, failed ${failed}; at most ${most} in a bar</figcaption>
    <svg class="chart" viewBox="0 0 ${width} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="Calls, refusals and failures">
      ${buckets.map(
        (bucket, index) => svg`<g>
          <title>${new Date(bucket.at).toLocaleString()}: calls ${bucket.calls}, refused ${bucket.refused}, failed ${bucket.failed}</title>
          ${bar('calls', index, 0, bucket.calls / most)}
          ${bar('refused', index, 0, bucket.refused / most)}
          ${bar('failed', index, bucket.refused / most, bucket.failed / most)}
        </g>`,
      )}
    </svg>
    <p class="legend"><span class="calls">done</span> <span class="refused">refused</span> <span class="failed">failed</span></p>
    <details><summary>As a table</summary>${tableOf('Calls by time', columns, buckets)}</details>
  </figure>`;
}

/** The sums of all calls, and of those refused and failed. @param {Bucket[]} buckets */
export const totals = (buckets) =>
  /** @type {const} */ (['calls', 'refused', 'failed']).map((name) =>
    buckets.reduce((sum, bucket) => sum + bucket[name], 0),
  );

/** @param {string} name @param {number} index @param {number} from @param {number} share of the height */
const bar = (name, index, from, share) =>
  svg`<rect class=${name} x=${index * BAR + 2} width=${BAR - 4} y=${HEIGHT * (1 - from - share)} height=${HEIGHT * share}></rect>`;
