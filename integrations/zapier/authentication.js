const { apiUrl } = require('./lib/requests')

module.exports = {
  type: 'custom',
  fields: [
    {
      key: 'base_url',
      label: 'Address',
      required: true,
      type: 'string',
      placeholder: 'https://radar.example.com',
      helpText: 'Address of your Review Radar installation. Zapier must reach it over HTTPS.',
    },
    {
      key: 'token',
      label: 'API token',
      required: true,
      type: 'password',
      helpText:
        'Create a token on the account page of Review Radar, with the scopes `read` and `hooks`; `operate` to replay dead letters.',
    },
  ],
  test: async (z, bundle) => (await z.request(apiUrl(bundle, '/me'))).data,
  connectionLabel: '{{account_name}} ({{token_name}})',
}
