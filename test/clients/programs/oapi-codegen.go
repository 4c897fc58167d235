package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"

	radar "example.com/radar/oapi"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func as(token string) *radar.ClientWithResponses {
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+token)
		return nil
	}
	client, err := radar.NewClientWithResponses(os.Getenv("RADAR_URL"), radar.WithRequestEditorFn(authorize))
	check(err)
	return client
}

func main() {
	ctx := context.Background()
	client := as(os.Getenv("RADAR_TOKEN"))

	url, stars, app, limit := "https://example.com/radar", 3, os.Getenv("RADAR_APP_ID"), 10
	hook, err := client.SubscribeWithResponse(ctx, &radar.SubscribeParams{}, radar.SubscribeBody{
		TargetUrl: &url,
		Store:     radar.SubscribeBodyStoreApple,
		AppId:     "310633997",
		EventType: radar.SubscribeBodyEventTypeReviewCreated,
		MaxStars:  &stars,
	})
	check(err)
	page, err := client.ListReviewsWithResponse(ctx, &radar.ListReviewsParams{AppId: &app, Limit: &limit})
	check(err)
	events, err := client.ListEventsWithResponse(ctx, &radar.ListEventsParams{})
	check(err)
	event, err := events.JSON200.Data[0].AsReviewCreated()
	check(err)
	rejected, err := as("no").MeWithResponse(ctx)
	check(err)
	out, err := json.Marshal(map[string]any{
		"hook":    strings.HasPrefix(hook.JSON200.Secret, "whsec_"),
		"reviews": len(page.JSON200.Data),
		"event":   event.EventType,
		"status":  rejected.StatusCode(),
	})
	check(err)
	fmt.Println(string(out))
}
