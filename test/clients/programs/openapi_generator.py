import json
import os

from openapi_client import AccountApi, ApiClient, Configuration, EventsApi, HooksApi, ReviewsApi
from openapi_client.exceptions import UnauthorizedException
from openapi_client.models import SubscribeBody


def as_token(token):
    return ApiClient(Configuration(host=os.environ["RADAR_URL"], access_token=token))


client = as_token(os.environ["RADAR_TOKEN"])
body = SubscribeBody(
    target_url="https://example.com/radar",
    store="apple",
    app_id="310633997",
    event_type="review.created",
    max_stars=3,
)
hook = HooksApi(client).subscribe(body)
page = ReviewsApi(client).list_reviews(app_id=os.environ["RADAR_APP_ID"], limit=10)
events = EventsApi(client).list_events()
try:
    AccountApi(as_token("no")).me()
    status = 200
except UnauthorizedException as rejected:
    status = rejected.status
print(
    json.dumps(
        {
            "hook": hook.secret.startswith("whsec_"),
            "reviews": len(page.data),
            "event": events.data[0].actual_instance.event_type,
            "status": status,
        }
    )
)
