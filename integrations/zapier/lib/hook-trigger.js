const { parseApp } = require('./apps')
const { apiUrl } = require('./requests')
const { isSigned } = require('./signature')

/**
 * The operation of a trigger that subscribes a hook. `ruleOf` returns the fields of the subscription besides app and storefront.
 */
function hookOperation({ eventType, inputFields, ruleOf, sample, outputFields }) {
  return {
    type: 'hook',
    inputFields,
    performSubscribe: async (z, bundle) => {
      const { app, countries } = bundle.inputData
      const response = await z.request({
        url: apiUrl(bundle, '/hooks'),
        method: 'POST',
        body: {
          ...parseApp(z, app),
          ...(countries?.length > 0 ? { countries } : {}),
          ...ruleOf(bundle.inputData),
          event_type: eventType,
          target_url: bundle.targetUrl,
          source: 'zapier',
          external_ref: bundle.meta?.zap?.id ? `Zap ${bundle.meta.zap.id}` : 'Zapier',
        },
      })
      return response.data
    },
    performUnsubscribe: async (z, bundle) => {
      const response = await z.request({
        url: apiUrl(bundle, `/hooks/${encodeURIComponent(bundle.subscribeData.id)}`),
        method: 'DELETE',
        skipThrowForStatus: true,
      })
      // Deleted in the console, or by an earlier call whose answer was lost.
      if (response.status === 204 || response.status === 404) return {}
      throw new z.errors.Error(
        response.data?.error ?? `Review Radar answered ${response.status}.`,
        'ApiError',
        response.status,
      )
    },
    perform: (z, bundle) => {
      const { rawRequest, subscribeData, cleanedRequest } = bundle
      if (!subscribeData.secret || !isSigned(rawRequest, subscribeData.secret))
        throw new z.errors.HaltedError('The request is not signed by Review Radar.')
      return [cleanedRequest]
    },
    performList: async (z, bundle) => {
      const { data } = await z.request({ url: apiUrl(bundle, '/sample'), params: { event_type: eventType } })
      return data
    },
    sample,
    outputFields,
  }
}

module.exports = { hookOperation }
