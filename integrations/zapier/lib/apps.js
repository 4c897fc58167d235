const APP = /^(apple|google):(\S+)$/
const APPLE = /^(?:https?:\/\/(?:apps|itunes)\.apple\.com\/\S*?\bid)?(\d{1,20})(?:[?#/].*)?$/
const GOOGLE = /^(?:https?:\/\/play\.google\.com\/\S*?[?&]id=)?([A-Za-z]\w*(?:\.\w+)+)(?:&.*)?$/

/** The store and id of an app from the drop-down, a store link, an App Store id or a package name. */
function parseApp(z, value) {
  const text = String(value ?? '').trim()
  const [, store, id] = APP.exec(text) ?? []
  if (store !== undefined) return { store, app_id: id }
  const apple = APPLE.exec(text)
  if (apple !== null) return { store: 'apple', app_id: apple[1] }
  const google = GOOGLE.exec(text)
  if (google !== null) return { store: 'google', app_id: google[1] }
  throw new z.errors.Error(
    `App must be a store link, a number (App Store) or a package name (Google Play): "${text}" is not.`,
    'InvalidField',
    400,
  )
}

const STORE_NAMES = { apple: 'App Store', google: 'Google Play' }

/** A row of a drop-down of apps. */
function appChoice({ store, app_id, name, developer }) {
  return {
    id: `${store}:${app_id}`,
    name: `${name ?? app_id} (${STORE_NAMES[store]})`,
    store,
    app_id,
    developer: developer ?? null,
  }
}

const appField = {
  key: 'app',
  label: 'App',
  type: 'string',
  required: true,
  dynamic: 'app_list.id.name',
  helpText:
    'An app that your account tracks. For any other app, choose "Custom" and enter its store link, App Store number or package name.',
}

const COUNTRIES = {
  au: 'Australia',
  br: 'Brazil',
  ca: 'Canada',
  fr: 'France',
  de: 'Germany',
  in: 'India',
  ie: 'Ireland',
  it: 'Italy',
  jp: 'Japan',
  mx: 'Mexico',
  nl: 'Netherlands',
  kr: 'South Korea',
  es: 'Spain',
  se: 'Sweden',
  gb: 'United Kingdom',
  us: 'United States',
}

/** Of a subscription, which may have several. */
const countriesField = {
  key: 'countries',
  label: 'Storefronts',
  type: 'string',
  list: true,
  required: false,
  choices: COUNTRIES,
  helpText: 'Leave empty for every storefront that your account tracks for the app.',
}

const countryField = {
  key: 'country',
  label: 'Storefront',
  type: 'string',
  required: false,
  choices: COUNTRIES,
  helpText: 'Reviews of this storefront; for Google, of its language.',
}

module.exports = { appChoice, appField, COUNTRIES, countriesField, countryField, parseApp }
