import { z } from 'zod'

/**
 * The parts of the stores' own API descriptions that this project uses: App Store Connect's OpenAPI document 4.4.1 and the
 * discovery document of the Google Play Developer API, revision 20260924. Every property, type, enum and required field here was
 * compared with them (2026-11). Objects are strict, so that a simulated answer has nothing that the stores do not have. The
 * token endpoint, Cloud Storage and the errors of Google have no such description; their shapes are from the documentation.
 */

const dateTime = z.iso.datetime({ offset: true })
const uri = z.string().min(1)
const resourceLinks = z.strictObject({ self: uri.optional() })
const relationshipLinks = z.strictObject({ self: uri.optional(), related: uri.optional() })
const pagedLinks = z.strictObject({ self: uri, first: uri.optional(), next: uri.optional() })
const documentLinks = z.strictObject({ self: uri })
const paging = z.strictObject({
  paging: z.strictObject({ total: z.int().optional(), limit: z.int(), nextCursor: z.string().optional() }),
})

const customerReview = z.strictObject({
  type: z.literal('customerReviews'),
  id: z.string(),
  attributes: z
    .strictObject({
      rating: z.int().min(1).max(5).optional(),
      title: z.string().optional(),
      body: z.string().optional(),
      reviewerNickname: z.string().optional(),
      createdDate: dateTime.optional(),
      territory: z
        .string()
        .regex(/^[A-Z]{3}$/)
        .optional(),
    })
    .optional(),
  relationships: z
    .strictObject({
      response: z
        .strictObject({
          links: relationshipLinks.optional(),
          // The description has no null, but a recorded answer has it for a review without a response.
          data: z.strictObject({ type: z.literal('customerReviewResponses'), id: z.string() }).nullish(),
        })
        .optional(),
    })
    .optional(),
  links: resourceLinks.optional(),
})

const customerReviewResponse = z.strictObject({
  type: z.literal('customerReviewResponses'),
  id: z.string(),
  attributes: z
    .strictObject({
      responseBody: z.string().optional(),
      lastModifiedDate: dateTime.optional(),
      state: z.enum(['PUBLISHED', 'PENDING_PUBLISH']).optional(),
    })
    .optional(),
  links: resourceLinks.optional(),
})

const app = z.strictObject({
  type: z.literal('apps'),
  id: z.string(),
  attributes: z.strictObject({ name: z.string().optional(), bundleId: z.string().optional() }).optional(),
  links: resourceLinks.optional(),
})

const appStoreVersion = z.strictObject({
  type: z.literal('appStoreVersions'),
  id: z.string(),
  attributes: z
    .strictObject({
      platform: z.enum(['IOS', 'MAC_OS', 'TV_OS', 'VISION_OS']).optional(),
      versionString: z.string().optional(),
      appVersionState: z
        .enum([
          'ACCEPTED',
          'DEVELOPER_REJECTED',
          'IN_REVIEW',
          'INVALID_BINARY',
          'METADATA_REJECTED',
          'PENDING_APPLE_RELEASE',
          'PENDING_DEVELOPER_RELEASE',
          'PREPARE_FOR_SUBMISSION',
          'PROCESSING_FOR_DISTRIBUTION',
          'READY_FOR_DISTRIBUTION',
          'READY_FOR_REVIEW',
          'REJECTED',
          'REPLACED_WITH_NEW_VERSION',
          'WAITING_FOR_EXPORT_COMPLIANCE',
          'WAITING_FOR_REVIEW',
        ])
        .optional(),
      createdDate: dateTime.optional(),
    })
    .optional(),
  links: resourceLinks.optional(),
})

/** By the name of the schema in the OpenAPI document. */
export const APP_STORE_CONNECT = {
  AppsResponse: z.strictObject({ data: z.array(app), links: pagedLinks, meta: paging.optional() }),
  AppStoreVersionsResponse: z.strictObject({
    data: z.array(appStoreVersion),
    links: pagedLinks,
    meta: paging.optional(),
  }),
  CustomerReviewsResponse: z.strictObject({
    data: z.array(customerReview),
    included: z.array(customerReviewResponse).optional(),
    links: pagedLinks,
    meta: paging.optional(),
  }),
  CustomerReviewResponse: z.strictObject({
    data: customerReview,
    included: z.array(customerReviewResponse).optional(),
    links: documentLinks,
  }),
  CustomerReviewResponseV1Response: z.strictObject({ data: customerReviewResponse, links: documentLinks }),
  CustomerReviewResponseV1CreateRequest: z.strictObject({
    data: z.strictObject({
      type: z.literal('customerReviewResponses'),
      attributes: z.strictObject({ responseBody: z.string() }),
      relationships: z.strictObject({
        review: z.strictObject({
          data: z.strictObject({ type: z.literal('customerReviews'), id: z.string() }),
        }),
      }),
    }),
  }),
  ErrorResponse: z.strictObject({
    errors: z
      .array(
        z.strictObject({
          id: z.string().optional(),
          status: z.string().regex(/^\d{3}$/),
          code: z.string(),
          title: z.string(),
          detail: z.string().optional(),
          source: z
            .union([z.strictObject({ parameter: z.string() }), z.strictObject({ pointer: z.string() })])
            .optional(),
        }),
      )
      .optional(),
  }),
} as const

/** The query parameters that the client may send. `cursor` is not in the document, but in the links of Apple's examples. */
export const APP_STORE_CONNECT_QUERIES = {
  '/v1/apps': ['fields[apps]', 'limit', 'cursor'],
  '/v1/apps/{id}/customerReviews': ['sort', 'limit', 'include', 'cursor'],
  '/v1/customerReviews/{id}': ['include'],
  '/v1/apps/{id}/appStoreVersions': ['fields[appStoreVersions]', 'limit', 'cursor'],
  '/v1/appStoreVersions/{id}/customerReviews': ['sort', 'limit', 'fields[customerReviews]'],
} as const

const int32 = z.int()
const timestamp = z.strictObject({ seconds: z.string().regex(/^\d+$/).optional(), nanos: int32.optional() })
const deviceMetadata = z.strictObject({
  productName: z.string().optional(),
  manufacturer: z.string().optional(),
  deviceClass: z.string().optional(),
})
const review = z.strictObject({
  reviewId: z.string().optional(),
  authorName: z.string().optional(),
  comments: z
    .array(
      z.strictObject({
        userComment: z
          .strictObject({
            text: z.string().optional(),
            originalText: z.string().optional(),
            lastModified: timestamp.optional(),
            starRating: int32.optional(),
            reviewerLanguage: z.string().optional(),
            device: z.string().optional(),
            androidOsVersion: int32.optional(),
            appVersionCode: int32.optional(),
            appVersionName: z.string().optional(),
            thumbsUpCount: int32.optional(),
            thumbsDownCount: int32.optional(),
            deviceMetadata: deviceMetadata.optional(),
          })
          .optional(),
        developerComment: z
          .strictObject({ text: z.string().optional(), lastModified: timestamp.optional() })
          .optional(),
      }),
    )
    .optional(),
})

/** By the name of the schema in the discovery document. */
export const GOOGLE_PLAY_DEVELOPER = {
  ReviewsListResponse: z.strictObject({
    reviews: z.array(review).optional(),
    tokenPagination: z.strictObject({ nextPageToken: z.string().optional() }).optional(),
  }),
  Review: review,
  ReviewsReplyRequest: z.strictObject({ replyText: z.string().optional() }),
  ReviewsReplyResponse: z.strictObject({
    result: z.strictObject({ replyText: z.string().optional(), lastEdited: timestamp.optional() }).optional(),
  }),
} as const

/** Of services of Google without a machine-readable description at hand. */
export const GOOGLE = {
  error: z.strictObject({
    error: z.strictObject({
      code: z.int(),
      message: z.string().nullable(),
      status: z.string().optional(),
      errors: z
        .array(z.strictObject({ message: z.string(), domain: z.string(), reason: z.string() }))
        .optional(),
      details: z.array(z.looseObject({ '@type': z.string() })).optional(),
    }),
  }),
  token: z.strictObject({
    access_token: z.string(),
    expires_in: z.int(),
    token_type: z.literal('Bearer'),
  }),
  tokenError: z.strictObject({ error: z.string(), error_description: z.string() }),
  objects: z.strictObject({
    items: z
      .array(z.strictObject({ name: z.string(), size: z.string().regex(/^\d+$/), generation: z.string() }))
      .optional(),
    nextPageToken: z.string().optional(),
  }),
} as const
