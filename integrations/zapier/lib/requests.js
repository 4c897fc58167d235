/** The URL of a path of the API. Users may paste the address with a slash at its end. */
function apiUrl(bundle, path) {
  return `${bundle.authData.base_url.trim().replace(/\/+$/, '')}/api/v1${path}`
}

/** A `beforeRequest` middleware. */
function authorize(request, _z, bundle) {
  request.headers.Authorization = `Bearer ${bundle.authData.token}`
  return request
}

/** An `afterResponse` middleware: shows the message of the service instead of the status. */
function explainErrors(response, z, bundle) {
  if (response.skipThrowForStatus) return response
  if (response.status < 400) {
    if (response.data !== undefined) return response
    throw new z.errors.Error(
      `Review Radar does not answer at ${bundle.authData.base_url}, but another service.`,
      'ApiError',
      response.status,
    )
  }
  const message = messageOf(response) ?? `Review Radar answered ${response.status}.`
  if (response.status === 429)
    throw new z.errors.ThrottledError(message, Number(response.getHeader('retry-after')) || 60)
  if (response.status === 401)
    throw new z.errors.Error('The API token is wrong, expired or revoked.', 'AuthenticationError', 401)
  throw new z.errors.Error(message, 'ApiError', response.status)
}

function messageOf(response) {
  return typeof response.data?.error === 'string' ? response.data.error : null
}

module.exports = { apiUrl, authorize, explainErrors }
