package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	radar "example.com/radar/openapi"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func as(token string) context.Context {
	return context.WithValue(context.Background(), radar.ContextAccessToken, token)
}

func main() {
	configuration := radar.NewConfiguration()
	configuration.Servers = radar.ServerConfigurations{{URL: os.Getenv("RADAR_URL")}}
	client := radar.NewAPIClient(configuration)
	me := as(os.Getenv("RADAR_TOKEN"))

	body := radar.NewSubscribeBody("apple", "310633997", "review.created")
	body.SetTargetUrl("https://example.com/radar")
	body.SetMaxStars(3)
	hook, _, err := client.HooksAPI.Subscribe(me).SubscribeBody(*body).Execute()
	check(err)
	page, _, err := client.ReviewsAPI.ListReviews(me).AppId(os.Getenv("RADAR_APP_ID")).Limit(10).Execute()
	check(err)
	events, _, err := client.EventsAPI.ListEvents(me).Execute()
	check(err)
	_, response, err := client.AccountAPI.Me(as("no")).Execute()
	if err == nil {
		panic("a wrong token was accepted")
	}
	out, err := json.Marshal(map[string]any{
		"hook":    strings.HasPrefix(hook.Secret, "whsec_"),
		"reviews": len(page.Data),
		"event":   events.Data[0].ReviewCreated.EventType,
		"status":  response.StatusCode,
	})
	check(err)
	fmt.Println(string(out))
}
