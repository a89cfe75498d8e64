import { html, svg } from 'lit';
import { axisOf, bucketLabel } from '../text/spoken.js';
import { elementWith } from './element.js';
import { tableOf } from './rows.js';

/** @typedef {{ at: string, calls: number, refused: number, failed: number }} Bucket */

const HEIGHT = 190;
/** The room for the numbers of the axes. */
const LEFT = 40;
const RIGHT = 14;
const BOTTOM = 22;
const TOP = 8;
/** The least room of a label of time, in pixels. */
const LABEL = 76;

/** The columns of the table. @param {string} step @returns {import('./rows.js').Columns} */
const columnsOf = (step) => ({
  From: ({ at }) => bucketLabel(at, step, true),
  Calls: ({ calls }) => calls,
  Refused: ({ refused }) => refused,
  Failed: ({ failed }) => failed,
});

/** How many calls there were, as bars with axes, as wide as its place. */
class CallChart extends elementWith(() => ({
  /** @type {Bucket[]} */
  buckets: [],
  /** @type {'hour' | 'day'} */
  step: 'hour',
  width: 900,
})) {
  observer = new ResizeObserver(([entry]) => {
    if (entry) this.width = Math.max(200, Math.round(entry.contentRect.width));
  });

  firstUpdated() {
    this.observer.observe(/** @type {Element} */ (this.querySelector('figure')));
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.observer.disconnect();
  }

  render() {
    const { buckets, width } = this;
    const axis = axisOf(Math.max(...buckets.map(({ calls }) => calls), 0));
    const top = axis.at(-1) ?? 1;
    const room = HEIGHT - BOTTOM - TOP;
    const y = (/** @type {number} */ calls) => TOP + room * (1 - calls / top);
    const each = (width - LEFT - RIGHT) / Math.max(1, buckets.length);
    const every = Math.max(1, Math.ceil(LABEL / each));
    const left = (/** @type {number} */ index) => LEFT + index * each;
    /** @param {string} name @param {number} index @param {number} from @param {number} calls */
    const bar = (name, index, from, calls) =>
      svg`<rect class=${name} x=${left(index) + each * 0.18} width=${each * 0.64} y=${y(from + calls)} height=${y(from) - y(from + calls)} rx="2"></rect>`;
    const group = (
      /** @type {Bucket} */ { at, calls, refused, failed },
      /** @type {number} */ index,
    ) => svg`<g>
      <title>${bucketLabel(at, this.step, true)}: ${calls} calls, ${refused} refused, ${failed} failed</title>
      <rect class="hit" x=${left(index)} width=${each} y=${TOP} height=${room}></rect>
      ${bar('done', index, 0, calls - refused - failed)} ${bar('refused', index, calls - refused - failed, refused)} ${bar('failed', index, calls - failed, failed)}
      ${index % every === 0 ? svg`<text x=${left(index) + each / 2} y=${HEIGHT - 5} text-anchor="middle">${bucketLabel(at, this.step)}</text>` : ''}
    </g>`;
    return html`<figure>
      <svg class="chart" height=${HEIGHT} viewBox="0 0 ${width} ${HEIGHT}" role="img" aria-label="Calls by ${this.step}; the table below has the numbers">
        ${axis.map(
          (calls) => svg`<line class="grid" x1=${LEFT} x2=${width} y1=${y(calls)} y2=${y(calls)}></line>
          <text x=${LEFT - 8} y=${y(calls) + 4} text-anchor="end">${calls}</text>`,
        )}
        ${buckets.map(group)}
      </svg>
      <details class="curl"><summary>As a table</summary>${tableOf(`Calls by ${this.step}`, columnsOf(this.step), buckets)}</details>
    </figure>`;
  }
}
customElements.define('call-chart', CallChart);

/** The sums of all calls, and of those refused and failed. @param {Bucket[]} buckets */
export const totals = (buckets) =>
  /** @type {const} */ (['calls', 'refused', 'failed']).map((name) =>
    buckets.reduce((sum, bucket) => sum + bucket[name], 0),
  );
