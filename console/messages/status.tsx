import type { ReactNode } from 'react'
import { counted } from '../util/numbers.ts'

/** Texts of the status page and of the strip on every page. */

export const statusTexts = {
  title: 'Status',
  about: 'Current problems, one entry per cause.',
  account: 'This account',
  installation: 'Installation',
  allWell: 'No problems.',
  since: (at: ReactNode) => <>Since {at}</>,
  show: 'Show',
  showStatus: 'Show status',
  more: (count: number) => `and ${counted(count, 'more problem')}`,
  problem: 'Problem',
  note: 'Note',
} as const
