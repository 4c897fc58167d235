/**
 * Nothing but one plain address: no display name, comment, quotes, second address or control character. The mail server decides whether it
 * exists.
 */
export const MAIL_ADDRESS =
  /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$/
export const MAIL_ADDRESS_CHARS_MAX = 254
