import org.openapitools.client.apis.AccountApi
import org.openapitools.client.apis.EventsApi
import org.openapitools.client.apis.HooksApi
import org.openapitools.client.apis.ReviewsApi
import org.openapitools.client.infrastructure.ApiClient
import org.openapitools.client.infrastructure.ClientException
import org.openapitools.client.models.SubscribeBody

fun main() {
    val url = System.getenv("RADAR_URL")
    ApiClient.accessToken = System.getenv("RADAR_TOKEN")
    val body =
        SubscribeBody(
            targetUrl = "https://example.com/radar",
            store = SubscribeBody.Store.apple,
            appId = "310633997",
            eventType = SubscribeBody.EventType.reviewPeriodCreated,
            maxStars = 3,
        )
    val hook = HooksApi(url).subscribe(body)
    val page = ReviewsApi(url).listReviews(appId = System.getenv("RADAR_APP_ID"), limit = 10)
    val event = EventsApi(url).listEvents().data.first() as Map<*, *>
    ApiClient.accessToken = "no"
    val status =
        try {
            AccountApi(url).me()
            200
        } catch (rejected: ClientException) {
            rejected.statusCode
        }
    val isSecret = hook.secret.startsWith("whsec_")
    println("""{"hook":$isSecret,"reviews":${page.data.size},"event":"${event["event_type"]}","status":$status}""")
}
