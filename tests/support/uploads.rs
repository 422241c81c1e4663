//! A client that captures by itself: what it sends, and pictures and trees to send.

use std::io::Write;

use reqwest::Method;
use serde_json::{Value, json};

use super::client::{Answer, Client};

/// A page's links.
#[derive(Clone)]
pub(crate) struct Links {
    pub(crate) screenshot: String,
    pub(crate) dom: String,
}

impl Client {
    /// Starts a client-driven job and returns its id.
    pub(crate) async fn init(&self, project: &str, origin: &str) -> String {
        let body =
            json!({ "project": project, "testOrigin": origin, "branch": "main", "commit": "" });
        self.post("/ci/job/init", body).await.ok()["jobId"]
            .as_str()
            .unwrap()
            .to_owned()
    }

    /// Asks for the links of a page.
    pub(crate) async fn upload_url(&self, job_id: &str, url: &str, variant: &str) -> Answer {
        let body = json!({ "jobId": job_id, "url": url, "variantName": variant });
        self.post("/ci/job/upload-url", body).await
    }

    pub(crate) async fn links(&self, job_id: &str, url: &str) -> Links {
        let answer = self.upload_url(job_id, url, "Desktop Chrome").await.ok();
        let link = |field: &str| answer[field].as_str().unwrap().to_owned();
        Links {
            screenshot: link("uploadUrl"),
            dom: link("domUploadUrl"),
        }
    }

    /// PUTs to a link as a program does, without a key.
    pub(crate) async fn put_file(&self, link: &str, media_type: &str, body: Vec<u8>) -> Answer {
        self.send(self.put_request(link, media_type).body(body))
            .await
    }

    pub(crate) fn put_request(&self, link: &str, media_type: &str) -> reqwest::RequestBuilder {
        self.request_to(Method::PUT, link)
            .header("content-type", media_type)
    }

    /// Uploads a page whole, its tree packed as clients do.
    pub(crate) async fn upload(&self, job_id: &str, url: &str, screenshot: Vec<u8>, dom: &Value) {
        let links = self.links(job_id, url).await;
        let stored = self
            .put_file(&links.screenshot, "image/png", screenshot)
            .await;
        assert_eq!(stored.status.as_u16(), 200, "{}", stored.body);
        let request = self
            .put_request(&links.dom, "application/json")
            .header("content-encoding", "gzip")
            .body(gzip(dom.to_string().as_bytes()));
        let stored = self.send(request).await;
        assert_eq!(stored.status.as_u16(), 200, "{}", stored.body);
    }

    pub(crate) async fn finalize(&self, job_id: &str) -> Answer {
        self.post("/ci/job/finalize", json!({ "jobId": job_id }))
            .await
    }

    /// A job of one page, captured by the client: its picture in one colour, its text `Welcome`.
    pub(crate) async fn captured(&self, project: &str, origin: &str, colour: [u8; 3]) -> Value {
        let id = self.init(project, origin).await;
        let url = format!("{origin}/");
        self.upload(&id, &url, picture(colour, 3), &tree("Welcome"))
            .await;
        self.finish(&id).await
    }

    /// Finalizes a job and waits for its end.
    pub(crate) async fn finish(&self, job_id: &str) -> Value {
        assert_eq!(self.finalize(job_id).await.ok()["jobId"], job_id);
        self.wait(job_id).await
    }
}

/// A picture of 40 × 40 pixels in one colour, with a line of another.
pub(crate) fn picture(colour: [u8; 3], line: u32) -> Vec<u8> {
    let picture = image::RgbImage::from_fn(40, 40, |_, y| {
        image::Rgb(if y == line { [255, 255, 255] } else { colour })
    });
    let mut file = std::io::Cursor::new(Vec::new());
    picture
        .write_to(&mut file, image::ImageFormat::Png)
        .unwrap();
    file.into_inner()
}

/// A page with one paragraph.
pub(crate) fn tree(text: &str) -> Value {
    json!({
        "tagName": "BODY", "rect": { "x": 0, "y": 0, "w": 40, "h": 40 },
        "children": [{ "tagName": "P", "rect": { "x": 0, "y": 4, "w": 40, "h": 10 }, "text": text, "styles": { "color": "rgb(0, 0, 0)" } }],
    })
}

pub(crate) fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}
