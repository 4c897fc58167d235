import { getCACertificates, setDefaultCACertificates } from 'node:tls'

/** Trusts these certificates (PEM) besides the well-known ones, in all later connections of this thread. */
export function trustAuthorities(pem: string): void {
  const certificates = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  setDefaultCACertificates([...getCACertificates('default'), ...certificates])
}

/** Whether the code of an error is one of OpenSSL's verification or of Node's TLS, e.g. `SELF_SIGNED_CERT_IN_CHAIN`, `ERR_TLS_CERT_ALTNAME_INVALID`. */
export function isCertificateCode(code: string): boolean {
  return /CERT|UNABLE_TO_|^ERR_(SSL|OSSL|TLS)_/.test(code)
}
