// Receives webhooks of Review Radar with the standard library of Go 1.21 or later. How to run it: ../README.md
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const bodyBytesMax = 1 << 20

var (
	timestampForm = regexp.MustCompile(`^[0-9]{1,12}$`)
	eventIDForm   = regexp.MustCompile(`^[0-9a-f]{64}$`)
)

// verify reports whether one of the secrets signed these bytes at most toleranceS seconds before or after nowS.
func verify(body []byte, headers http.Header, secrets []string, nowS, toleranceS int64) bool {
	timestamp := headers.Get("webhook-timestamp")
	if !timestampForm.MatchString(timestamp) {
		return false
	}
	signedAt, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || nowS-signedAt > toleranceS || signedAt-nowS > toleranceS {
		return false
	}
	// During a rotation, the service signs with each valid secret, and the receiver may have several secrets.
	for _, secret := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil {
			continue
		}
		mac := hmac.New(sha256.New, key)
		fmt.Fprintf(mac, "%s.%s.", headers.Get("webhook-id"), timestamp)
		mac.Write(body)
		expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
		for _, signature := range strings.Split(headers.Get("webhook-signature"), " ") {
			if hmac.Equal(expected, []byte(signature)) {
				return true
			}
		}
	}
	return false
}

type receiver struct {
	secrets    []string
	toleranceS int64
	inbox      string
}

// store writes the event to a file named by its ID before it is acknowledged, so a crash loses no event and a duplicate
// changes nothing. Another program processes the files. It returns false for a duplicate.
func (r receiver) store(eventID string, body []byte) (bool, error) {
	part, err := os.CreateTemp(r.inbox, "*.part")
	if err != nil {
		return false, err
	}
	defer os.Remove(part.Name())
	_, err = part.Write(body)
	if err := errors.Join(err, part.Sync(), part.Close()); err != nil {
		return false, err
	}
	err = os.Link(part.Name(), filepath.Join(r.inbox, eventID+".json"))
	if errors.Is(err, os.ErrExist) {
		return false, nil
	}
	return err == nil, err
}

func (r receiver) status(response http.ResponseWriter, request *http.Request) int {
	if request.Method != http.MethodPost {
		return http.StatusMethodNotAllowed
	}
	body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, bodyBytesMax))
	if err != nil {
		return http.StatusRequestEntityTooLarge
	}
	if !verify(body, request.Header, r.secrets, time.Now().Unix(), r.toleranceS) {
		return http.StatusUnauthorized
	}
	eventID := request.Header.Get("webhook-id")
	if !eventIDForm.MatchString(eventID) {
		return http.StatusBadRequest
	}
	isNew, err := r.store(eventID, body)
	if err != nil {
		log.Print(err)
		// The service retries.
		return http.StatusInternalServerError
	}
	if isNew {
		fmt.Println("event", eventID)
	}
	return http.StatusNoContent
}

func (r receiver) ServeHTTP(response http.ResponseWriter, request *http.Request) {
	response.WriteHeader(r.status(response, request))
}

func setting(name, fallback string) string {
	if value, ok := os.LookupEnv(name); ok {
		return value
	}
	return fallback
}

func main() {
	toleranceS, err := strconv.ParseInt(setting("TOLERANCE_S", "300"), 10, 64)
	if err != nil {
		log.Fatal("TOLERANCE_S must be a number of seconds.")
	}
	r := receiver{strings.Fields(setting("HOOK_SECRETS", "")), toleranceS, setting("INBOX", "inbox")}
	if len(r.secrets) == 0 {
		log.Fatal("HOOK_SECRETS is missing. Set it to the secret of the hook.")
	}
	if err := os.MkdirAll(r.inbox, 0o700); err != nil {
		log.Fatal(err)
	}
	server := http.Server{Addr: "127.0.0.1:" + setting("PORT", "4040"), Handler: r, ReadTimeout: 15 * time.Second}
	log.Fatal(server.ListenAndServe())
}
