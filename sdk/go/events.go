package kobo

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const (
	toleranceSeconds = 300
	// The gateway sends at most two signatures.
	signaturesMax = 5
)

var timestampPattern = regexp.MustCompile(`^[0-9]{1,12}$`)

// Event is a webhook event. EventType determines what EventData contains.
type Event struct {
	EventType string          `json:"eventType"`
	EventData json.RawMessage `json:"eventData"`
	MetaData  json.RawMessage `json:"metaData"`
}

// VerifyEvent verifies a request's signature and returns its event, or ErrInvalidSignature. Pass the raw body, before any
// parsing. During a rotation, pass both the old and the new secret key.
func VerifyEvent(body []byte, headers http.Header, secretKeys ...string) (Event, error) {
	var event Event
	id, timestamp := headers.Get("webhook-id"), headers.Get("webhook-timestamp")
	if id == "" || !timestampPattern.MatchString(timestamp) {
		return event, ErrInvalidSignature
	}
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	age := time.Now().Unix() - seconds
	if err != nil || age > toleranceSeconds || age < -toleranceSeconds {
		return event, ErrInvalidSignature // a replayed request
	}
	given := strings.SplitN(headers.Get("webhook-signature"), " ", signaturesMax+1)
	isGenuine := false
	for _, secret := range secretKeys {
		if secret == "" {
			return event, errors.New("a secret key is missing")
		}
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write([]byte(id + "." + timestamp + "."))
		mac.Write(body)
		expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
		for _, signature := range given {
			isGenuine = hmac.Equal(expected, []byte(signature)) || isGenuine
		}
	}
	if !isGenuine {
		return event, ErrInvalidSignature
	}
	return event, json.Unmarshal(body, &event)
}
