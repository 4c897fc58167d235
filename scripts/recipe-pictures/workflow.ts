import { htmlEscape as text } from '../../src/pipeline/targets/escapes.ts'
import type { Recipe, RecipeNode } from './recipe.ts'

/** Draws a workflow as boxes and lines, at the places that its file has. */

const BOX = { width: 190, height: 64 }
const MARGIN = 24
/** Nodes of n8n are narrower and higher than these boxes. */
const FLATTEN = 0.5
const STRETCH = 1.08

const LOOKS: Readonly<Record<string, readonly [label: string, color: string]>> = {
  'n8n-nodes-review-radar.reviewRadarTrigger': ['Review Radar trigger', '#0f7285'],
  'n8n-nodes-review-radar.reviewRadar': ['Review Radar', '#0f7285'],
  'n8n-nodes-base.scheduleTrigger': ['Schedule', '#57606a'],
  'n8n-nodes-base.removeDuplicates': ['Once per event', '#57606a'],
  'n8n-nodes-base.if': ['If', '#57606a'],
  'n8n-nodes-base.slack': ['Slack', '#611f69'],
  'n8n-nodes-base.github': ['GitHub', '#24292f'],
  'n8n-nodes-base.httpRequest': ['PagerDuty', '#048a24'],
  'n8n-nodes-base.googleSheets': ['Google Sheets', '#188038'],
}

export function workflowSvg({ nodes, connections }: Recipe): string {
  const shown = nodes.filter(({ type }) => type in LOOKS)
  const left = Math.min(...shown.map(({ position }) => position[0]))
  const top = Math.min(...shown.map(({ position }) => position[1]))
  const place = new Map(
    shown.map(({ name, position: [x, y] }) => [
      name,
      { x: MARGIN + (x - left) * STRETCH, y: MARGIN + (y - top) * FLATTEN },
    ]),
  )
  const width = Math.max(...[...place.values()].map(({ x }) => x)) + BOX.width + MARGIN
  const height = Math.max(...[...place.values()].map(({ y }) => y)) + BOX.height + MARGIN
  const lines = Object.entries(connections).flatMap(([from, { main }]) =>
    main.flat().map(({ node }) => line(place.get(from), place.get(node))),
  )
  return `<svg width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${lines.join('')}${shown
    .map((node) => box(node, place.get(node.name)))
    .join('')}</svg>`
}

type Place = { readonly x: number; readonly y: number }

function box({ name, type }: RecipeNode, at: Place = { x: 0, y: 0 }): string {
  const [label, color] = LOOKS[type] ?? [type, '#57606a']
  return `<g transform="translate(${at.x} ${at.y})">
<rect width="${BOX.width}" height="${BOX.height}" rx="10" fill="#fff" stroke="#c8ced5"/>
<rect width="8" height="${BOX.height}" rx="4" fill="${color}"/>
<text x="22" y="28" class="name">${text(name)}</text><text x="22" y="47" class="type">${text(label)}</text></g>`
}

function line(from: Place = { x: 0, y: 0 }, to: Place = { x: 0, y: 0 }): string {
  const [x1, y1, x2, y2] = [from.x + BOX.width, from.y + BOX.height / 2, to.x, to.y + BOX.height / 2]
  const middle = (x1 + x2) / 2
  return `<path d="M${x1} ${y1} C${middle} ${y1} ${middle} ${y2} ${x2 - 6} ${y2}" fill="none" stroke="#8a94a0" stroke-width="2"/>
<path d="M${x2 - 9} ${y2 - 5} L${x2 - 1} ${y2} L${x2 - 9} ${y2 + 5} Z" fill="#8a94a0"/>`
}
