const { appChoice } = require('../lib/apps')
const { apiUrl } = require('../lib/requests')

module.exports = {
  key: 'find_app',
  noun: 'App',
  display: { label: 'Find App', description: 'Finds an app in the App Store and Google Play.' },
  operation: {
    inputFields: [
      {
        key: 'q',
        label: 'Search',
        type: 'string',
        required: true,
        helpText: 'A name, a store link, an App Store number or a package name.',
      },
    ],
    perform: async (z, bundle) => {
      const { data } = await z.request({
        url: apiUrl(bundle, '/apps/search'),
        params: { q: bundle.inputData.q },
      })
      return data.data.map(appChoice)
    },
    sample: {
      id: 'apple:310633997',
      name: 'An App (App Store)',
      store: 'apple',
      app_id: '310633997',
      developer: 'A Developer',
    },
  },
}
