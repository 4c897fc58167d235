import { X509Certificate } from 'node:crypto'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'

/** Trusts the certificates of a text in PEM besides the well-known ones, in all later connections of this thread. */
export function trustAuthorities(pem: string): void {
  setDefaultCACertificates([...getCACertificates('default'), ...(certificatesIn(pem) ?? [])])
}

/** The certificates of a text in PEM; null without one, or when one cannot be read. */
export function certificatesIn(pem: string): readonly string[] | null {
  const certificates = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g)
  try {
    for (const certificate of certificates ?? []) new X509Certificate(certificate)
  } catch {
    return null
  }
  return certificates
}

/**
 * Whether the code of an error is one of OpenSSL's verification or of Node's TLS, e.g. `SELF_SIGNED_CERT_IN_CHAIN`,
 * `ERR_TLS_CERT_ALTNAME_INVALID`.
 */
export function isCertificateCode(code: string): boolean {
  return /CERT|UNABLE_TO_|^ERR_(SSL|OSSL|TLS)_/.test(code)
}
