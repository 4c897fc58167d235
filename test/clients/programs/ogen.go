package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	radar "example.com/radar/ogen"
	"github.com/ogen-go/ogen/ogenerrors"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

type bearer string

func (token bearer) Bearer(context.Context, radar.OperationName) (radar.Bearer, error) {
	return radar.Bearer{Token: string(token)}, nil
}

func (bearer) APIKey(context.Context, radar.OperationName) (radar.APIKey, error) {
	return radar.APIKey{}, ogenerrors.ErrSkipClientSecurity
}

func as(token string) *radar.Client {
	client, err := radar.NewClient(os.Getenv("RADAR_URL"), bearer(token))
	check(err)
	return client
}

func main() {
	ctx := context.Background()
	client := as(os.Getenv("RADAR_TOKEN"))

	hook, err := client.Subscribe(ctx, &radar.SubscribeBody{
		TargetURL: radar.NewOptNilString("https://example.com/radar"),
		Store:     radar.SubscribeBodyStoreApple,
		AppID:     "310633997",
		EventType: radar.SubscribeBodyEventTypeReviewCreated,
		MaxStars:  radar.NewOptNilInt(3),
	}, radar.SubscribeParams{})
	check(err)
	page, err := client.ListReviews(ctx, radar.ListReviewsParams{
		AppID: radar.NewOptString(os.Getenv("RADAR_APP_ID")),
		Limit: radar.NewOptInt(10),
	})
	check(err)
	events, err := client.ListEvents(ctx, radar.ListEventsParams{})
	check(err)
	rejected, err := as("no").Me(ctx)
	check(err)
	status := 0
	if _, is := rejected.(*radar.MeUnauthorized); is {
		status = 401
	}
	out, err := json.Marshal(map[string]any{
		"hook":    strings.HasPrefix(hook.(*radar.CreatedHook).Secret, "whsec_"),
		"reviews": len(page.(*radar.ReviewPageHeaders).Response.Data),
		"event":   events.(*radar.EventList).Data[0].Type,
		"status":  status,
	})
	check(err)
	fmt.Println(string(out))
}
