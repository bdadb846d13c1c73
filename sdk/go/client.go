// Package kobo is a client for the Kobo payment gateway.
package kobo

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	mathrand "math/rand"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	// Tokens are renewed after this share of their lifetime.
	renewedShare   = 0.8
	waitSecondsMax = 30
)

var (
	loopback  = regexp.MustCompile(`^(localhost|127(\.[0-9]+){3}|::1)$`)
	inPath    = regexp.MustCompile(`:(\w+)`)
	noEffect  = map[int]bool{429: true, 503: true}
	temporary = map[int]bool{0: true, 429: true, 500: true, 502: true, 503: true, 504: true}
)

// Options of a client. BaseUrl, ApiKey and SecretKey are required.
type Options struct {
	BaseUrl   string
	ApiKey    string
	SecretKey string
	// Timeout of one attempt; 40 seconds by default.
	Timeout time.Duration
	// AttemptsMax of a request that is safe to retry; 3 by default.
	AttemptsMax int
	// AllowHttp allows unencrypted http to another machine.
	AllowHttp bool
	// OnWarning receives the sandbox's warnings, such as a misspelt field that was ignored.
	OnWarning func(message string)
}

// Client has every call of the gateway, by group: client.Transactions.Init(ctx, request).
type Client struct {
	Api
	options    Options
	http       *http.Client
	lock       sync.Mutex
	token      string
	tokenUntil time.Time
}

// New creates a client with a merchant's keys. It sends nothing before the first call.
func New(options Options) (*Client, error) {
	address, err := url.Parse(options.BaseUrl)
	if err != nil || (address.Scheme != "https" && address.Scheme != "http") || address.Host == "" {
		return nil, fmt.Errorf("BaseUrl must start with https://, or http:// on this machine; it is %q", options.BaseUrl)
	}
	if address.Scheme == "http" && !options.AllowHttp && !loopback.MatchString(address.Hostname()) {
		return nil, errors.New("BaseUrl must be an https URL because keys are sent there; set AllowHttp to allow http")
	}
	if options.ApiKey == "" || options.SecretKey == "" {
		return nil, errors.New("ApiKey or SecretKey is missing")
	}
	if options.Timeout == 0 {
		options.Timeout = 40 * time.Second
	}
	if options.AttemptsMax == 0 {
		options.AttemptsMax = 3
	}
	options.BaseUrl = strings.TrimRight(options.BaseUrl, "/")
	client := &Client{options: options, http: &http.Client{
		Timeout: options.Timeout,
		// Keys and tokens must not follow a redirect.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	client.Api = apiOf(client)
	return client, nil
}

// CallOption changes a single call.
type CallOption func(*callOptions)

type callOptions struct {
	idempotencyKey string
	nulls          []string
}

// IdempotencyKey makes a POST safe to retry. Generated for each POST by default.
func IdempotencyKey(key string) CallOption {
	return func(options *callOptions) { options.idempotencyKey = key }
}

// Null sends null for fields of the request, which resets a setting to its default: kobo.Null("webhookUrl").
func Null(fields ...string) CallOption {
	return func(options *callOptions) { options.nulls = append(options.nulls, fields...) }
}

// Optional returns a pointer to a value, for optional numbers and booleans of requests.
func Optional[T any](value T) *T { return &value }

type endpoint struct {
	method, path, access, bodyKey, pageKey string
	hasBody, isRepeatable                  bool
}

type fields = map[string]json.RawMessage

type response struct {
	status   int
	headers  http.Header
	envelope *envelope
	why      string
}

type envelope struct {
	RequestSuccessful *bool           `json:"requestSuccessful"`
	ResponseMessage   string          `json:"responseMessage"`
	ResponseCode      string          `json:"responseCode"`
	ResponseBody      json.RawMessage `json:"responseBody"`
	Warnings          []string        `json:"warnings"`
}

func perform[Reply any](ctx context.Context, client *Client, to endpoint, request any, options []CallOption) (Reply, error) {
	var reply Reply
	given, err := fieldsOf(request)
	if err != nil {
		return reply, err
	}
	body, err := client.send(ctx, to, given, options)
	if err != nil || len(body) == 0 {
		return reply, err
	}
	return reply, json.Unmarshal(body, &reply)
}

func each[Entry any](ctx context.Context, client *Client, to endpoint, request any, handle func(Entry) error, options []CallOption) error {
	given, err := fieldsOf(request)
	if err != nil {
		return err
	}
	first, _ := strconv.Atoi(string(given[to.pageKey]))
	for page := first; ; page++ {
		given[to.pageKey] = json.RawMessage(strconv.Itoa(page))
		body, err := client.send(ctx, to, given, options)
		if err != nil {
			return err
		}
		var found struct {
			Content []Entry `json:"content"`
			Last    bool    `json:"last"`
		}
		if err := json.Unmarshal(body, &found); err != nil {
			return err
		}
		for _, entry := range found.Content {
			if err := handle(entry); err != nil {
				return err
			}
		}
		if found.Last || len(found.Content) == 0 {
			return nil
		}
	}
}

func fieldsOf(request any) (fields, error) {
	text, err := json.Marshal(request)
	if err != nil {
		return nil, err
	}
	given := fields{}
	return given, json.Unmarshal(text, &given)
}

// Sends a request and retries it while that is safe and useful.
func (client *Client) send(ctx context.Context, to endpoint, given fields, options []CallOption) (json.RawMessage, error) {
	var own callOptions
	for _, option := range options {
		option(&own)
	}
	for _, name := range own.nulls {
		given[name] = json.RawMessage("null")
	}
	key := ""
	if to.isRepeatable {
		if key = own.idempotencyKey; key == "" {
			random := make([]byte, 16)
			if _, err := rand.Read(random); err != nil {
				return nil, err
			}
			key = hex.EncodeToString(random)
		}
	}
	address, body, err := client.addressed(to, given)
	if err != nil {
		return nil, err
	}
	isSafeToRetry := to.method == "GET" || to.access == "keys" || key != ""
	for attempt := 1; ; attempt++ {
		got, err := client.sendWithToken(ctx, to, address, body, key)
		if err != nil {
			return nil, err
		}
		code := got.headers.Get("kobo-refusal")
		hadNoEffect := got.envelope != nil && noEffect[got.status] && code != "DATABASE_AWAY" && code != "OUTCOME_UNKNOWN"
		if attempt >= client.options.AttemptsMax || !temporary[got.status] || !(hadNoEffect || isSafeToRetry) {
			return client.concluded(got, key)
		}
		// Jitter spreads the retries of clients that failed together.
		seconds := 0.25 * math.Pow(2, float64(attempt-1)) * (0.5 + mathrand.Float64())
		if after, err := strconv.Atoi(got.headers.Get("retry-after")); err == nil {
			seconds = math.Max(seconds, float64(after))
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(time.Duration(math.Min(seconds, waitSecondsMax) * float64(time.Second))):
		}
	}
}

// Returns the response body without the envelope, or Refused or NoResponse.
func (client *Client) concluded(got response, key string) (json.RawMessage, error) {
	if got.envelope == nil {
		return nil, &NoResponse{got.why, got.status, key}
	}
	if client.options.OnWarning != nil {
		for _, warning := range got.envelope.Warnings {
			client.options.OnWarning(warning)
		}
	}
	if got.status == http.StatusOK {
		return got.envelope.ResponseBody, nil
	}
	return nil, &Refused{
		Message:      got.envelope.ResponseMessage,
		Status:       got.status,
		Code:         got.headers.Get("kobo-refusal"),
		ResponseCode: got.envelope.ResponseCode,
		RequestId:    got.headers.Get("x-request-id"),
	}
}

// Puts the fields into the path, the query or the body.
func (client *Client) addressed(to endpoint, given fields) (string, []byte, error) {
	others, query := fields{}, url.Values{}
	for name, value := range given {
		others[name] = value
	}
	missing := ""
	path := inPath.ReplaceAllStringFunc(to.path, func(found string) string {
		value := textOf(others[found[1:]])
		if value == "" {
			missing = found[1:]
		}
		delete(others, found[1:])
		return url.PathEscape(value)
	})
	if missing != "" {
		return "", nil, fmt.Errorf("%s is missing", missing)
	}
	address := client.options.BaseUrl + path
	if to.bodyKey != "" {
		return address, others[to.bodyKey], nil
	}
	if to.hasBody {
		body, err := json.Marshal(others)
		return address, body, err
	}
	for name, value := range others {
		if text := textOf(value); text != "" {
			query.Set(name, text)
		}
	}
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	return address, nil, nil
}

// The text of a value for a path or query.
func textOf(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	return string(value)
}

// Sends a request, and once more with a new token if the token was rejected.
func (client *Client) sendWithToken(ctx context.Context, to endpoint, address string, body []byte, key string) (response, error) {
	switch to.access {
	case "keys":
		keys := client.options.ApiKey + ":" + client.options.SecretKey
		return client.sendOnce(ctx, to, address, body, key, "Basic "+base64.StdEncoding.EncodeToString([]byte(keys)))
	case "open":
		return client.sendOnce(ctx, to, address, body, key, "")
	}
	token, err := client.currentToken(ctx, "")
	if err != nil {
		return response{}, err
	}
	got, err := client.sendOnce(ctx, to, address, body, key, "Bearer "+token)
	code := got.headers.Get("kobo-refusal")
	if err != nil || (code != "EXPIRED_TOKEN" && code != "INVALID_TOKEN") {
		return got, err
	}
	if token, err = client.currentToken(ctx, token); err != nil {
		return response{}, err
	}
	return client.sendOnce(ctx, to, address, body, key, "Bearer "+token)
}

// Sends a request once. Returns an error only if the caller cancels.
func (client *Client) sendOnce(ctx context.Context, to endpoint, address string, body []byte, key, authorization string) (response, error) {
	request, err := http.NewRequestWithContext(ctx, to.method, address, bytes.NewReader(body))
	if err != nil {
		return response{}, err
	}
	request.Header.Set("Accept", "application/json")
	for name, value := range map[string]string{"Authorization": authorization, "Idempotency-Key": key} {
		if value != "" {
			request.Header.Set(name, value)
		}
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	reply, err := client.http.Do(request)
	var text []byte
	if err == nil {
		defer reply.Body.Close()
		text, err = io.ReadAll(reply.Body)
	}
	if ctx.Err() != nil {
		return response{}, ctx.Err()
	}
	if err != nil {
		return response{why: "the gateway cannot be reached: " + err.Error()}, nil
	}
	got := response{status: reply.StatusCode, headers: reply.Header}
	got.why = fmt.Sprintf("the response with status %d is not from a Kobo gateway", got.status)
	var parsed envelope
	if json.Unmarshal(text, &parsed) == nil && parsed.RequestSuccessful != nil {
		got.envelope = &parsed
	}
	return got, nil
}

// The token, new if it has expired or is the rejected one; concurrent callers share one login.
func (client *Client) currentToken(ctx context.Context, rejected string) (string, error) {
	client.lock.Lock()
	defer client.lock.Unlock()
	if client.token == "" || client.token == rejected || time.Now().After(client.tokenUntil) {
		startedAt := time.Now()
		login, err := client.Authentication.Login(ctx, AuthenticationLoginRequest{})
		if err != nil {
			return "", err
		}
		client.token = login.AccessToken
		client.tokenUntil = startedAt.Add(time.Duration(float64(login.ExpiresIn) * renewedShare * float64(time.Second)))
	}
	return client.token, nil
}
