import type { MailImage } from '../../target.ts'
import { BARS, barsPicture, TREND, trendPicture } from './charts.ts'
import { type DigestFigures, dayName, daysText, starsText } from './digest-figures.ts'

const STARS_CID = 'stars@review-radar'
const TREND_CID = 'trend@review-radar'

let drawn: { readonly key: string; readonly images: readonly MailImage[] } | null = null

/** The pictures that `chartsHtml` shows. The last ones are kept, because all recipients of a mail get the same. */
export function chartImages(figures: DigestFigures): readonly MailImage[] {
  const key = JSON.stringify(figures)
  if (drawn?.key !== key) drawn = { key, images: draw(figures) }
  return drawn.images
}

function draw(figures: DigestFigures): MailImage[] {
  return [
    { cid: STARS_CID, name: 'stars.png', png: barsPicture(figures) },
    ...(daysText(figures) === null
      ? []
      : [{ cid: TREND_CID, name: 'average-stars.png', png: trendPicture(figures) }]),
  ]
}

const BLOCK = 'display:inline-block;vertical-align:top;margin:0 20px 12px 0'
const TITLE = 'font-size:13px;font-weight:600;margin-bottom:4px'
const LABEL = 'color:#57606a;font-size:13px;white-space:nowrap'

/** Both charts beside each other, or below each other where there is no room. The text alternatives of the pictures name all figures. */
export function chartsHtml(figures: DigestFigures): string {
  const { byStars, byDay } = figures
  const row = `height:${BARS.rowHeight}px;line-height:${BARS.rowHeight}px`
  const column = (texts: readonly string[]) =>
    texts.map((text) => `<div style="${row}">${text}</div>`).join('')
  const stars = `<div style="${BLOCK}"><div style="${TITLE}">Reviews by stars</div>
<table role="presentation" cellpadding="0" cellspacing="0"><tr>
<td style="${LABEL};padding-right:8px">${column(byStars.map((each) => `${each.stars} ★`))}</td>
<td>${picture(STARS_CID, BARS, starsText(figures))}</td>
<td style="${LABEL};padding-left:8px;text-align:right">${column(byStars.map((each) => String(each.reviews)))}</td>
</tr></table></div>`
  const trend = daysText(figures)
  if (trend === null) return stars
  const [first, last] = [byDay[0], byDay.at(-1)]
  const scale = `height:${TREND.height / 5}px;line-height:${TREND.height / 5}px`
  return `${stars}
<div style="${BLOCK};margin-right:0"><div style="${TITLE}">Average stars by day</div>
<table role="presentation" cellpadding="0" cellspacing="0"><tr>
<td style="${LABEL};padding-right:8px">${[5, 4, 3, 2, 1].map((each) => `<div style="${scale}">${each}</div>`).join('')}</td>
<td>${picture(TREND_CID, TREND, trend)}</td>
</tr><tr><td></td><td><table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr>
<td style="${LABEL}">${dayName(first?.dayMs ?? 0)}</td>
<td style="${LABEL};text-align:right">${dayName(last?.dayMs ?? 0)}</td>
</tr></table></td></tr></table></div>`
}

function picture(cid: string, { width, height }: { width: number; height: number }, alt: string): string {
  return `<img src="cid:${cid}" width="${width}" height="${height}" alt="${alt}" style="display:block;width:${width}px;height:${height}px"/>`
}

/** The same figures as lines of text. */
export function chartsText(figures: DigestFigures): string {
  const trend = daysText(figures)
  return [
    `Reviews by stars: ${starsText(figures)}`,
    ...(trend === null ? [] : [`Average stars by day: ${trend}`]),
  ].join('\n')
}
