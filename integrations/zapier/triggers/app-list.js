const { appChoice } = require('../lib/apps')
const { apiUrl } = require('../lib/requests')

/** Fills the drop-down of apps. */
module.exports = {
  key: 'app_list',
  noun: 'App',
  display: { label: 'App List', description: 'Lists the apps that the account tracks.', hidden: true },
  operation: {
    perform: async (z, bundle) => (await z.request(apiUrl(bundle, '/tracked-apps'))).data.map(appChoice),
    sample: {
      id: 'apple:310633997',
      name: 'An App (App Store)',
      store: 'apple',
      app_id: '310633997',
      developer: 'A Developer',
    },
  },
}
