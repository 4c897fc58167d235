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
function explainErrors(response, z) {
  if (response.skipThrowForStatus || response.status < 400) return response
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
