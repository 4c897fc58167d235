/** `GET /api/console/reviews/count`, with the filters of `GET /api/v1/reviews`: counted up to 10,000. */
export type ReviewCount = { readonly count: number; readonly more: boolean }

/** `POST /api/console/reviews/:fingerprint/translation`: the review in English, by the model server. */
export type TranslatedReview = { readonly title: string | null; readonly body: string }
