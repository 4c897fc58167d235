import type { Store, Storefront } from '../model/vocabulary.ts'

export type LifeApp = {
  readonly name: string
  readonly developer: string
  readonly appIds: Readonly<Record<Store, string>>
  /** Reviews per store before life starts. The first app has more than one page of them in both stores. */
  readonly backCatalogue: number
  readonly usualAverage: number
  /** Its share of all activity. */
  readonly share: number
  readonly versions: readonly string[]
}

export const LIFE_APPS: readonly LifeApp[] = [
  {
    name: 'Larkspur Notes',
    developer: 'Larkspur Works',
    appIds: { apple: '9100000101', google: 'com.example.larkspur' },
    backCatalogue: 480,
    usualAverage: 4.5,
    share: 4,
    versions: ['5.1.0', '5.0.2', '4.9.7'],
  },
  {
    name: 'Tidewater Habits',
    developer: 'Tidewater Studio',
    appIds: { apple: '9100000202', google: 'com.example.tidewater' },
    backCatalogue: 140,
    usualAverage: 4.2,
    share: 2,
    versions: ['2.14', '2.13.1'],
  },
  {
    name: 'Copperleaf Budget',
    developer: 'Copperleaf GmbH',
    appIds: { apple: '9100000303', google: 'com.example.copperleaf' },
    backCatalogue: 120,
    usualAverage: 3.9,
    share: 1,
    versions: ['11.3.5', '11.3.4', '11.2.0'],
  },
]

/** The relative number of writers of a storefront. */
export const PEOPLE: Readonly<Record<Storefront, number>> = {
  us: 6,
  gb: 2,
  ca: 1,
  au: 1,
  ie: 0.5,
  fr: 2,
  de: 2,
  es: 1.5,
  se: 1,
  br: 2,
  mx: 1,
  jp: 2,
  kr: 1.5,
  in: 2,
  nl: 1,
  it: 1.5,
}

/** Where the first events happen. */
export function firstApp(): LifeApp {
  const [first] = LIFE_APPS
  if (first === undefined) throw new RangeError('There are no apps.')
  return first
}
