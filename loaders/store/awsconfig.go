package store

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
)

// An awsConfig is what the environment and the files of Amazon's tools say. Other tools of the field read
// the same names (AWS SDKs and Tools Reference Guide, "Shared config and credentials files").
type awsConfig struct {
	id, secret, token string // all "" without credentials
	region, endpoint  string
}

// readAWS looks into the environment first, then into ~/.aws/credentials and ~/.aws/config under the profile of
// AWS_PROFILE. Credentials come from one of them whole, never mixed. AWS_NO_SIGN_REQUEST drops them.
func readAWS() awsConfig {
	profile := first(os.Getenv("AWS_PROFILE"), os.Getenv("AWS_DEFAULT_PROFILE"), "default")
	home, _ := os.UserHomeDir()
	section := "profile " + profile
	if profile == "default" {
		section = profile
	}
	secrets := readINI(first(os.Getenv("AWS_SHARED_CREDENTIALS_FILE"), filepath.Join(home, ".aws", "credentials")), profile)
	config := readINI(first(os.Getenv("AWS_CONFIG_FILE"), filepath.Join(home, ".aws", "config")), section)

	c := awsConfig{
		region:   first(os.Getenv("AWS_REGION"), os.Getenv("AWS_DEFAULT_REGION"), config["region"], secrets["region"]),
		endpoint: first(os.Getenv("AWS_ENDPOINT_URL_S3"), os.Getenv("AWS_ENDPOINT_URL"), config["endpoint_url"], secrets["endpoint_url"]),
	}
	switch strings.ToLower(os.Getenv("AWS_NO_SIGN_REQUEST")) {
	case "1", "yes", "true", "on":
		return c
	}
	environment := map[string]string{
		"aws_access_key_id":     os.Getenv("AWS_ACCESS_KEY_ID"),
		"aws_secret_access_key": os.Getenv("AWS_SECRET_ACCESS_KEY"),
		"aws_session_token":     os.Getenv("AWS_SESSION_TOKEN"),
	}
	for _, from := range []map[string]string{environment, secrets, config} {
		if from["aws_access_key_id"] != "" && from["aws_secret_access_key"] != "" {
			c.id, c.secret, c.token = from["aws_access_key_id"], from["aws_secret_access_key"], from["aws_session_token"]
			break
		}
	}
	return c
}

// first is the first text that is not empty.
func first(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

// readINI is one section of a file of "key = value" lines; empty if there is none. Indented lines belong to
// settings of other tools.
func readINI(path, section string) map[string]string {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	found := map[string]string{}
	inside := false
	for lines := bufio.NewScanner(f); lines.Scan(); {
		line := lines.Text()
		text := strings.TrimSpace(line)
		switch {
		case text == "" || text[0] == '#' || text[0] == ';' || line[0] == ' ' || line[0] == '\t':
		case text[0] == '[':
			inside = strings.Join(strings.Fields(strings.Trim(text, "[]")), " ") == section
		case inside:
			if key, value, ok := strings.Cut(text, "="); ok {
				found[strings.ToLower(strings.TrimSpace(key))] = strings.TrimSpace(value)
			}
		}
	}
	return found
}
