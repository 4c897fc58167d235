import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.AccountApi;
import org.openapitools.client.api.EventsApi;
import org.openapitools.client.api.HooksApi;
import org.openapitools.client.api.ReviewsApi;
import org.openapitools.client.model.CreatedHook;
import org.openapitools.client.model.EventList;
import org.openapitools.client.model.ReviewPage;
import org.openapitools.client.model.SubscribeBody;

public class Main {
  static ApiClient as(String token) {
    ApiClient client = new ApiClient();
    client.setBasePath(System.getenv("RADAR_URL"));
    client.setBearerToken(token);
    return client;
  }

  static int statusWithWrongToken() {
    try {
      new AccountApi(as("no")).me();
      return 200;
    } catch (ApiException rejected) {
      return rejected.getCode();
    }
  }

  public static void main(String[] arguments) throws ApiException {
    ApiClient client = as(System.getenv("RADAR_TOKEN"));
    SubscribeBody body = new SubscribeBody()
        .targetUrl("https://example.com/radar")
        .store(SubscribeBody.StoreEnum.APPLE)
        .appId("310633997")
        .eventType(SubscribeBody.EventTypeEnum.REVIEW_CREATED)
        .maxStars(3);
    CreatedHook hook = new HooksApi(client).subscribe(body, null);
    ReviewPage page = new ReviewsApi(client).listReviews(null, System.getenv("RADAR_APP_ID"), null, null, null, null, null, null, null, null, null,
        null, null, null, null, null, null, null, null, null, 10, null);
    EventList events = new EventsApi(client).listEvents(null, null, null, null, null, null, null);
    System.out.printf("{\"hook\":%b,\"reviews\":%d,\"event\":\"%s\",\"status\":%d}%n",
        hook.getSecret().startsWith("whsec_"),
        page.getData().size(),
        events.getData().get(0).getReviewCreated().getEventType(),
        statusWithWrongToken());
  }
}
